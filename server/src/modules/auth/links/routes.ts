import * as contract from '@watchdesk/contract/auth/links'
import * as schemas from '@watchdesk/contract/auth/links.schema'
import type { SignInDeps } from '../../../deps.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { clientOf } from '../session/pending.ts'
import { linksStore } from './use-link.ts'

export function linksRoutes(app: App, deps: SignInDeps) {
  const links = linksStore(deps)

  addRoutes(app, contract, schemas, {
    openLink: ({ body }) => links.open(body.token),
    choosePassword: ({ body, ip }) => links.choosePassword(body.token, body.password, ip),
    forgotPassword: ({ body }) => links.forgotPassword(body.email),
    signInWithLink: (request) => links.signIn(request.body.token, clientOf(request)),
  })
}
