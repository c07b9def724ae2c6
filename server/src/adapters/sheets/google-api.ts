import type { z } from 'zod'
import type { HttpResponse } from '../http.ts'
import { createTokens, keyRefused, type ServiceAccount } from './google-account.ts'
import { type GoogleDeadline, GoogleRefusal, readJson, type Sending, send } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const ANSWER_BYTES = 134_217_728
const SPREADSHEETS = 'https://www.googleapis.com/auth/spreadsheets'
const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file'
/** Only this one shows a folder that the account has not made itself. */
const DRIVE = 'https://www.googleapis.com/auth/drive'

export type GoogleApi = ReturnType<typeof createApi>

/** Calls of Sheets v4 and Drive v3 as the service account. */
export function createApi(account: ServiceAccount, settings: GoogleSettings) {
  const scope = [SPREADSHEETS, settings.folder === undefined ? DRIVE_FILE : DRIVE].join(' ')
  const tokens = createTokens(account, scope, settings)

  async function ask(url: string, sending: Sending, deadline: GoogleDeadline, isSecond = false): Promise<HttpResponse> {
    const token = await tokens.get()
    const headers = { 'content-type': 'application/json', ...sending.headers, authorization: `Bearer ${token}` }
    try {
      return await send(url, { ...sending, headers }, deadline)
    } catch (error) {
      if (!(error instanceof GoogleRefusal)) throw error
      if (isDisabled(error)) throw notEnabled(account)
      if (error.status !== 401) throw error
      if (isSecond) throw keyRefused(account)
      tokens.forget(token)
      return ask(url, sending, deadline, true)
    }
  }

  return {
    account,
    settings,
    async call<Schema extends z.ZodType>(url: string, schema: Schema, deadline: GoogleDeadline, sending: Sending = {}) {
      const response = await ask(url, sending, deadline)
      return readJson(response, schema, Math.min(settings.limitBytes, ANSWER_BYTES))
    },
    /** For what answers nothing. */
    async order(url: string, deadline: GoogleDeadline, sending: Sending) {
      const response = await ask(url, sending, deadline)
      await response.cancel()
    },
  }
}

function isDisabled({ status, reason }: GoogleRefusal) {
  return status === 403 && ['SERVICE_DISABLED', 'accessNotConfigured'].includes(reason)
}

function notEnabled({ email }: ServiceAccount) {
  return new SheetError(`An operator must enable the Google Sheets API and the Google Drive API for ${email}.`)
}
