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
  const scope = `${SPREADSHEETS_SCOPE} ${settings.folder === undefined ? DRIVE_FILE_SCOPE : DRIVE_SCOPE}`
  const getToken = createTokens(account, scope, settings)
  const limitBytes = Math.min(settings.limitBytes, MAX_RESPONSE_BYTES)

  async function send(
    url: string,
    request: GoogleRequest,
    deadline: Deadline,
    rejected?: string,
  ): Promise<HttpResponse> {
    const token = await getToken(rejected)
    const authorized = { ...request, headers: { authorization: `Bearer ${token}` } }
    return sendGoogleRequest(url, authorized, deadline, settings).catch((error: unknown) => {
      if (!(error instanceof GoogleError)) throw error
      if (isDisabled(error)) throw notEnabled(account)
      if (error.status !== 401) throw error
      if (rejected !== undefined) throw keyRejected(account)
      return send(url, request, deadline, token)
    })
  }

  return {
    account,
    settings,
    async call<Schema extends z.ZodType>(deadline: Deadline, url: string, schema: Schema, request: GoogleRequest = {}) {
      return readJson(await send(url, request, deadline), schema, limitBytes)
    },
  }
}

function isDisabled({ status, reason }: GoogleError) {
  return status === 403 && ['SERVICE_DISABLED', 'accessNotConfigured'].includes(reason)
}

function notEnabled({ email }: ServiceAccount) {
  return new SheetError(`Ask your administrator to enable the Google Sheets API and the Google Drive API for ${email}.`)
}
