import { TableError } from '../table-error.ts'
import type { Archive } from './archive.ts'
import { isDateFormat } from './cell.ts'
import { XLSX_LIMITS } from './limits.ts'
import { readSmallXml } from './xml.ts'

export type Workbook = {
  sheet: string
  hasMoreSheets: boolean
  sharedStrings: string | undefined
  /** For each cell style: whether it shows a date. */
  dateStyles: boolean[]
  is1904: boolean
}

type Relation = { id: string; type: string; target: string }

const NO_SHEET = 'The workbook has no sheet with rows.'

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const [root] = (await relationsOf(archive, '')).filter(({ type }) => type === 'officeDocument')
  const path = root?.target ?? 'xl/workbook.xml'
  const relations = await relationsOf(archive, path)
  const target = (wanted: string) => relations.find(({ type }) => type === wanted)?.target
  const { sheets, is1904 } = await readSheets(archive, path)
  const worksheets = new Map(relations.filter(({ type }) => type === 'worksheet').map((each) => [each.id, each]))
  const sheet = sheets.map((id) => worksheets.get(id)).find((each) => each !== undefined)
  if (!sheet) throw new TableError(NO_SHEET)
  return {
    sheet: sheet.target,
    hasMoreSheets: worksheets.size > 1,
    sharedStrings: target('sharedStrings'),
    dateStyles: await readDateStyles(archive, target('styles')),
    is1904,
  }
}

async function relationsOf(archive: Archive, path: string): Promise<Relation[]> {
  const slash = path.lastIndexOf('/')
  const folder = path.slice(0, slash + 1)
  const relations: Relation[] = []
  await readSmallXml(archive.read(`${folder}_rels/${path.slice(slash + 1)}.rels`), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship' || relations.length >= XLSX_LIMITS.entries) return
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolvePath(folder, Target) })
    },
  })
  return relations
}

/** The path of a file in the archive. A target that starts with a slash is not relative to the folder. */
function resolvePath(folder: string, target: string) {
  const parts: string[] = []
  for (const part of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

async function readSheets(archive: Archive, path: string) {
  const sheets: string[] = []
  let is1904 = false
  await readSmallXml(archive.read(path), {
    open(name, attributes) {
      // Under any namespace prefix.
      const [, relationId = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      if (name === 'sheet' && sheets.length < XLSX_LIMITS.entries) sheets.push(relationId)
      // An extension of Excel has another element of this name, without the attribute.
      if (name === 'workbookPr') is1904 ||= attributes.date1904 === '1' || attributes.date1904 === 'true'
    },
  })
  return { sheets, is1904 }
}

async function readDateStyles(archive: Archive, path: string | undefined) {
  const formats = new Map<number, string>()
  const styles: number[] = []
  /** Conditional formats have number formats too, and named styles have cell formats. */
  let list = ''
  if (path !== undefined) {
    await readSmallXml(archive.read(path), {
      open(name, { numFmtId, formatCode }) {
        if (name === 'numFmts' || name === 'cellXfs') list = name
        if (styles.length > XLSX_LIMITS.styles || formats.size > XLSX_LIMITS.numberFormats) {
          throw new TableError('The workbook has too many styles. Save it as CSV.')
        }
        if (name === 'numFmt' && list === 'numFmts') formats.set(Number(numFmtId), formatCode ?? '')
        if (name === 'xf' && list === 'cellXfs') styles.push(Number(numFmtId ?? 0))
      },
      close(name) {
        if (name === list) list = ''
      },
    })
  }
  // Once for each format, because thousands of styles can share one.
  const dates = new Map([...formats].map(([id, code]) => [id, isDateFormat(id, code)]))
  return styles.map((id) => dates.get(id) ?? isDateFormat(id))
}
