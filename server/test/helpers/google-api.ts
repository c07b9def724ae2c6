import type { ServerResponse } from 'node:http'
import { stringify } from 'csv-stringify/sync'
import {
  ApiError,
  type Cell,
  type Document,
  driveError,
  formatted,
  newDocument,
  newTab,
  readValues,
  writeValues,
} from './google-documents.ts'

export type Caller = { email: string; scopes: string[] }
export type GoogleState = {
  email: string
  documents: Map<string, Document>
  folders: Set<string>
  hasStorage: boolean
  strangers: Set<string>
  invited: string[]
}
type Grid = { rowCount?: number; columnCount?: number }
type SheetBody = { properties?: { sheetId?: number; title?: string; gridProperties?: Grid } }

const SCOPE = 'https://www.googleapis.com/auth/'

type Request = { state: GoogleState; caller: Caller; url: URL; body: string; parts: string[] }

const ROUTES: [method: string, path: RegExp, respond: (request: Request) => object | undefined][] = [
  ['POST', /^\/v4\/spreadsheets$/, ({ state, body }) => createSpreadsheet(state, JSON.parse(body))],
  ['GET', /^\/v4\/spreadsheets\/([^/:]+)$/, (request) => describe(open(request))],
  [
    'POST',
    /^\/v4\/spreadsheets\/([^/:]+):batchUpdate$/,
    (request) => batchUpdate(open(request), JSON.parse(request.body)),
  ],
  [
    'GET',
    /^\/v4\/spreadsheets\/([^/:]+)\/values\/(.+)$/,
    (request) => readValues(open(request), request.parts[1] ?? ''),
  ],
  ['PUT', /^\/v4\/spreadsheets\/([^/:]+)\/values\/(.+)$/, updateValues],
  ['POST', /^\/drive\/v3\/files$/, createFile],
  ['POST', /^\/drive\/v3\/files\/([^/]+)\/permissions$/, permit],
  ['DELETE', /^\/drive\/v3\/files\/([^/]+)$/, deleteFile],
  ['PATCH', /^\/drive\/v3\/files\/([^/]+)$/, updateFile],
]

/** Empty if Google responds with 204. */
export function respondToApi(method: string, request: Omit<Request, 'parts'>) {
  const path = decodeURIComponent(request.url.pathname)
  for (const [verb, pattern, respond] of ROUTES) {
    const match = verb === method ? pattern.exec(path) : null
    if (match) return respond({ ...request, parts: match.slice(1) })
  }
  throw new ApiError(404, 'NOT_FOUND', 'Requested entity was not found.')
}

function open({ state, caller, parts }: Request) {
  const document = state.documents.get(parts[0] ?? '')
  if (!document) throw new ApiError(404, 'NOT_FOUND', 'Requested entity was not found.')
  if (!document.readers.has(caller.email) && !document.readers.has('anyone')) {
    throw new ApiError(403, 'PERMISSION_DENIED', 'The caller does not have permission')
  }
  if (document.isOffice) {
    throw new ApiError(400, 'FAILED_PRECONDITION', 'The document must not be an Office file.')
  }
  return document
}

function describe({ id, title, tabs }: Document) {
  const sheets = tabs.map(({ sheetId, title: name, rowCount, columnCount }, index) => ({
    properties: { sheetId, title: name, index, sheetType: 'GRID', gridProperties: { rowCount, columnCount } },
  }))
  return { spreadsheetId: id, properties: { title }, sheets }
}

function createSpreadsheet(state: GoogleState, body: { properties?: { title?: string }; sheets?: SheetBody[] }) {
  if (!state.hasStorage) throw new ApiError(403, 'PERMISSION_DENIED', 'The caller does not have permission')
  const tabs = (body.sheets ?? []).map(({ properties }) => newTab([], properties?.gridProperties))
  const document = newDocument({ title: body.properties?.title, tabs: tabs.length > 0 ? tabs : undefined })
  document.readers.add(state.email)
  state.documents.set(document.id, document)
  return describe(document)
}

function updateValues(request: Request) {
  if (request.url.searchParams.get('valueInputOption') !== 'RAW') {
    throw new ApiError(400, 'INVALID_ARGUMENT', "'valueInputOption' is required but not specified")
  }
  const { values } = JSON.parse(request.body) as { values: Cell[][] }
  return writeValues(open(request), request.parts[1] ?? '', values)
}

function batchUpdate(
  document: Document,
  { requests }: { requests: { updateSheetProperties: Required<SheetBody> & { fields: string } }[] },
) {
  for (const { updateSheetProperties: update } of requests) {
    const tab = document.tabs.find(({ sheetId }) => sheetId === update.properties.sheetId)
    if (!tab || update.fields !== 'gridProperties') throw new ApiError(400, 'INVALID_ARGUMENT', 'Invalid requests[0]')
    Object.assign(tab, update.properties.gridProperties)
  }
  return { spreadsheetId: document.id, replies: requests.map(() => ({})) }
}

function createFile({ state, caller: { scopes }, url, body }: Request) {
  const { name, parents = [] } = JSON.parse(body) as { name: string; parents?: string[] }
  const [folder] = parents
  // Folders not created by the account need the full scope; folders of shared drives need a query parameter.
  const isSeen = scopes.includes(`${SCOPE}drive`) && url.searchParams.get('supportsAllDrives') === 'true'
  if (folder === undefined || !isSeen || !state.folders.has(folder)) {
    throw driveError(404, 'notFound', `File not found: ${folder}.`)
  }
  const document = newDocument({ title: name, folder, tabs: [newTab([], { sheetId: 7, title: 'Аркуш1' })] })
  document.readers.add(state.email)
  state.documents.set(document.id, document)
  return { id: document.id }
}

function deleteFile(request: Request) {
  const { id, folder } = file(request)
  if (folder !== undefined) throw driveError(403, 'insufficientFilePermissions', 'Insufficient permissions.')
  request.state.documents.delete(id)
  return undefined
}

function updateFile(request: Request) {
  const document = file(request)
  document.isTrashed = JSON.parse(request.body).trashed === true
  return { id: document.id }
}

function file({ state, parts: [id = ''] }: Request) {
  const document = state.documents.get(id)
  if (!document) throw driveError(404, 'notFound', `File not found: ${id}.`)
  return document
}

function permit(request: Request) {
  const { state, url } = request
  const document = file(request)
  const { type, role, emailAddress = '' } = JSON.parse(request.body) as Record<string, string>
  if (type !== 'user' || role !== 'writer') throw driveError(400, 'invalid', 'The permission is not valid.')
  const notifies = url.searchParams.get('sendNotificationEmail') !== 'false'
  if (state.strangers.has(emailAddress) && !notifies) {
    throw driveError(400, 'invalidSharingRequest', 'Since there is no Google account, you must notify.')
  }
  if (notifies) state.invited.push(emailAddress)
  document.readers.add(emailAddress)
  return { id: '0123', type, role }
}

/** Google redirects readers to another host, and users without access to the sign-in page. */
export function respondToExport({ documents }: GoogleState, url: URL, response: ServerResponse) {
  const [, published, id, ticket] =
    /^\/(?:spreadsheets\/d\/(e\/)?([^/]+)\/(?:export|pub)|export\/([^/]+))$/.exec(url.pathname) ?? []
  const all = [...documents.values()]
  const document = all.find((each) => (published ? each.publishedId : each.id) === (id ?? ticket))
  const gid = Number(url.searchParams.get('gid') ?? document?.tabs[0]?.sheetId)
  const tab = document?.tabs.find(({ sheetId }) => sheetId === gid)
  if (!document || !tab) return page(response, document ? 400 : 404)
  if (ticket === undefined) {
    const isOpen = published !== undefined || document.readers.has('anyone')
    const location = isOpen
      ? `/export/${document.id}?gid=${gid}`
      : 'https://accounts.google.com/ServiceLogin?service=wise'
    return response.writeHead(307, { location }).end()
  }
  const rows = tab.cells.map((row) => Array.from({ length: tab.columnCount }, (_, index) => formatted(row[index])))
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.end(stringify(rows, { record_delimiter: 'windows' }))
}

function page(response: ServerResponse, status: number) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<!DOCTYPE html><title>Google</title>')
}
