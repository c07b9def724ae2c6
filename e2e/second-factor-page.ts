import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { startWatchdesk, type Watchdesk } from './watchdesk.ts'
import { apiOf, makeWith, PASSWORD } from './workspaces-page.ts'

type Otpauth = {
  Secret: { fromBase32: (text: string) => object }
  TOTP: new (options: { secret: object }) => { generate: (at: { timestamp: number }) => string }
}

const STEP_MS = 30_000
const otpauth: Otpauth = createRequire(new URL('../server/package.json', import.meta.url))('otpauth')

export const codeField = (page: Page) => page.getByRole('textbox', { name: /^(Code|Recovery code)$/ })
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The code that an authenticator app shows at this time. */
export function codeOf(secret: string, timestamp: number) {
  return new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp })
}

export type Clock = {
  now: () => number
  /** Moves the clock of the server to its next time step, in which the app shows another code. */
  nextStep: () => void
}

/** A server whose clock can be moved. */
export async function startWithClock(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clock-'))
  const file = join(folder, 'offset')
  let offset = 0
  // In the middle of a step, so that none ends while a test runs.
  move(STEP_MS / 2 - (Date.now() % STEP_MS))
  const preload = new URL('move-clock.mjs', import.meta.url).href
  const watchdesk = await startWatchdesk({ ...settings, NODE_OPTIONS: `--import ${preload}`, CLOCK_FILE: file })
  const clock: Clock = { now: () => Date.now() + offset, nextStep: () => move(STEP_MS) }
  return { watchdesk, clock, stop: () => watchdesk.stop().then(() => rm(folder, { recursive: true })) }

  function move(by: number) {
    offset += by
    writeFileSync(file, String(offset))
  }
}

/** A workspace admin, who can sign in to the console without a second factor. */
export async function createPerson(page: Page, { url, session }: Watchdesk) {
  const make = makeWith(apiOf(page, url, await session.token()))
  const { id: workspace_id } = await make.workspace()
  return { ...(await make.user(workspace_id, { is_admin: true })), password: PASSWORD }
}

export const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

type Device = {
  setConfirmed: (isConfirmed: boolean) => Promise<void>
  /** One for localhost, with this key. */
  addPasskey: (privateKey: Buffer) => Promise<void>
}

/** A device with a fingerprint reader, as Chromium simulates it. */
export async function addDevice(page: Page): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setConfirmed: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    addPasskey: async (privateKey) => {
      const ids = { credentialId: btoa('passkey'), userHandle: btoa('user'), rpId: 'localhost' }
      const credential = { ...ids, isResidentCredential: true, privateKey: privateKey.toString('base64'), signCount: 0 }
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}
