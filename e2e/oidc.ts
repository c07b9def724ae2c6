import type { Page } from '@playwright/test'
import { type OidcProvider, startOidcProvider } from '../server/test/helpers/oidc.ts'
import { startSmtp } from '../server/test/helpers/smtp-server.ts'
import { freePort } from './free-port.ts'
import { test as base } from './test.ts'
import { startWatchdesk } from './watchdesk.ts'

export const LABEL = 'Acme ID'
/** The account at the provider that has the email of the first user. */
export const ADMIN_ACCOUNT = 'admin'

type Options = {
  provider: OidcProvider
  smtp: Awaited<ReturnType<typeof startSmtp>>
  /** More settings of the server. */
  settings: Record<string, string>
}

/** A server with single sign-on and mail, and the provider, which is another site for the browser. */
export const test = base.extend<object, Options>({
  settings: [{}, { scope: 'worker', option: true }],
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const provider = await startOidcProvider(`http://127.0.0.1:${await freePort()}`, 'localhost')
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  smtp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const smtp = await startSmtp()
      await use(smtp)
      await smtp.stop()
    },
    { scope: 'worker' },
  ],
  watchdesk: [
    async ({ provider, smtp, settings }, use) => {
      const { PUBLIC_URL } = provider.settings
      const watchdesk = await startWatchdesk({
        ...provider.settings,
        ...settings,
        PORT: new URL(PUBLIC_URL).port,
        OIDC_LABEL: LABEL,
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM: 'desk@example.com',
      })
      provider.accounts[ADMIN_ACCOUNT] = { email: watchdesk.email, email_verified: true }
      await use(watchdesk)
      await watchdesk.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  faults: async ({ faults, provider }, use) => {
    faults.allowOrigin(provider.issuer)
    await use(faults)
  },
})

export const continueLink = (page: Page) => page.getByRole('link', { name: `Continue with ${LABEL}` })

/** On the page of the provider. */
export async function signInAtProvider(page: Page, account: string) {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
