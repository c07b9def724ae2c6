import type { z } from 'zod'
import type { Deadline, HttpResponse } from '../http.ts'
import { createTokens, keyRejected, type ServiceAccount } from './google-account.ts'
import { GoogleError, type GoogleRequest, readJson, sendGoogleRequest } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const MAX_RESPONSE_BYTES = 134_217_728
const SPREADSHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets'
const DRIVE_FILE_SCOPE = 'https://www.googleapis.com/auth/drive.file'
/** The only scope that can see a folder that the account did not create. */
const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive'

export type GoogleApi = ReturnType<typeof createApi>

/** Calls Sheets v4 and Drive v3 as the service account. */
export function createApi(account: ServiceAccount, settings: GoogleSettings) {
  const scope = [SPREADSHEETS_SCOPE, settings.folder === undefined ? DRIVE_FILE_SCOPE : DRIVE_SCOPE].join(' ')
  const tokens = createTokens(account, scope, settings)

  async function sendAuthorized(
    url: string,
    request: GoogleRequest,
    deadline: Deadline,
    isRetry = false,
  ): Promise<HttpResponse> {
    const token = await tokens.get()
    const headers = { 'content-type': 'application/json', ...request.headers, authorization: `Bearer ${token}` }
    try {
      return await sendGoogleRequest(url, { ...request, headers }, deadline, settings)
    } catch (error) {
      if (!(error instanceof GoogleError)) throw error
      if (isDisabled(error)) throw notEnabled(account)
      if (error.status !== 401) throw error
      if (isRetry) throw keyRejected(account)
      tokens.forget(token)
      return sendAuthorized(url, request, deadline, true)
    }
  }

  return {
    account,
    settings,
    async call<Schema extends z.ZodType>(url: string, schema: Schema, deadline: Deadline, request: GoogleRequest = {}) {
      const response = await sendAuthorized(url, request, deadline)
      return readJson(response, schema, Math.min(settings.limitBytes, MAX_RESPONSE_BYTES))
    },
    /** For calls without a response body. */
    async callVoid(url: string, deadline: Deadline, request: GoogleRequest) {
      const response = await sendAuthorized(url, request, deadline)
      await response.cancel()
    },
  }
}

function isDisabled({ status, reason }: GoogleError) {
  return status === 403 && ['SERVICE_DISABLED', 'accessNotConfigured'].includes(reason)
}

function notEnabled({ email }: ServiceAccount) {
  return new SheetError(`Ask your administrator to enable the Google Sheets API and the Google Drive API for ${email}.`)
}
