import type { z } from 'zod'
import type { Deadline } from '../http.ts'
import { keyRejected, requestToken, type ServiceAccount } from './google-account.ts'
import { GoogleError, type GoogleRequest, readJson, sendGoogleRequest } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const MAX_RESPONSE_BYTES = 134_217_728
const SPREADSHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets'
const DRIVE_FILE_SCOPE = 'https://www.googleapis.com/auth/drive.file'
/** The only scope that can see a folder that the account did not create. */
const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive'

export type GoogleApi = Awaited<ReturnType<typeof openApi>>

/** Calls Sheets v4 and Drive v3 as the service account, all with one new token: reading or creating a sheet takes less than its hour. */
export async function openApi(account: ServiceAccount, settings: GoogleSettings, deadline: Deadline) {
  const scope = `${SPREADSHEETS_SCOPE} ${settings.folder === undefined ? DRIVE_FILE_SCOPE : DRIVE_SCOPE}`
  const token = await requestToken(account, scope, settings, deadline)
  const headers = { authorization: `Bearer ${token}` }
  const limitBytes = Math.min(settings.limitBytes, MAX_RESPONSE_BYTES)

  async function call<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    request: GoogleRequest = {},
    time: Deadline = deadline,
  ) {
    const response = await sendGoogleRequest(url, { ...request, headers }, time, settings).catch((error) => {
      if (error instanceof GoogleError && isDisabled(error)) throw notEnabled(account)
      throw error instanceof GoogleError && error.status === 401 ? keyRejected(account) : error
    })
    return readJson(response, schema, limitBytes)
  }

  return { account, settings, call }
}

function isDisabled({ status, reason }: GoogleError) {
  return status === 403 && ['SERVICE_DISABLED', 'accessNotConfigured'].includes(reason)
}

function notEnabled({ email }: ServiceAccount) {
  return new SheetError(`Ask your administrator to enable the Google Sheets API and the Google Drive API for ${email}.`)
}
