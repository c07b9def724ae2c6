import { posix } from 'node:path'
import { TableError } from '@watchdesk/contract/table-error'
import { isDateFormat } from './cell.ts'
import { LIMITS } from './tables.ts'
import { readSmallXml } from './xml.ts'
import type { Zip } from './zip.ts'

export type Workbook = {
  /** The path of the first sheet. */
  sheet: string
  hasMoreSheets: boolean
  sharedStrings: string | undefined
  /** For each cell style: whether it shows a date. */
  dateStyles: boolean[]
  is1904: boolean
}

type Relation = { id: string; type: string; target: string }

const NO_SHEET = 'The workbook has no sheet with rows.'

/** Metadata needed before the first sheet can be read. */
export async function readWorkbook(zip: Zip): Promise<Workbook> {
  const [root] = (await relationsOf(zip, '')).filter(({ type }) => type === 'officeDocument')
  const path = root?.target ?? 'xl/workbook.xml'
  const relations = await relationsOf(zip, path)
  const target = (wanted: string) => relations.find(({ type }) => type === wanted)?.target
  const { sheets, is1904 } = await readSheets(zip, path)
  const worksheets = new Map(relations.filter(({ type }) => type === 'worksheet').map((each) => [each.id, each]))
  const sheet = sheets.map((id) => worksheets.get(id)).find((each) => each !== undefined)
  if (!sheet) throw new TableError(NO_SHEET)
  return {
    sheet: sheet.target,
    hasMoreSheets: worksheets.size > 1,
    sharedStrings: target('sharedStrings'),
    dateStyles: await readDateStyles(zip, target('styles')),
    is1904,
  }
}

async function relationsOf(zip: Zip, path: string): Promise<Relation[]> {
  const folder = posix.dirname(path)
  const relations: Relation[] = []
  await readSmallXml(zip.read(posix.join(folder, '_rels', `${posix.basename(path)}.rels`)), {
    open(name, attributes) {
      if (name !== 'Relationship' || relations.length >= LIMITS.entries) return
      const target = posix.join('/', folder, attributes.Target ?? '')
      const absolute = attributes.Target?.startsWith('/') ? posix.normalize(attributes.Target) : target
      const type = attributes.Type ?? ''
      relations.push({
        id: attributes.Id ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        target: absolute.slice(1),
      })
    },
  })
  return relations
}

async function readSheets(zip: Zip, path: string) {
  const sheets: string[] = []
  let is1904 = false
  await readSmallXml(zip.read(path), {
    open(name, attributes) {
      if (name === 'sheet' && sheets.length < LIMITS.entries) sheets.push(relationId(attributes))
      if (name === 'workbookPr') is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true'
    },
  })
  return { sheets, is1904 }
}

/** The `r:id` attribute, under any namespace prefix. */
function relationId(attributes: Record<string, string>) {
  const name = Object.keys(attributes).find((key) => key.endsWith(':id'))
  return name === undefined ? '' : (attributes[name] ?? '')
}

async function readDateStyles(zip: Zip, path: string | undefined) {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let isInCellFormats = false
  if (path !== undefined) {
    await readSmallXml(zip.read(path), {
      open(name, { numFmtId, formatCode }) {
        if (name === 'cellXfs') isInCellFormats = true
        if (styles.length > LIMITS.styles || formats.size > LIMITS.numberFormats) {
          throw new TableError('The workbook has too many styles. Save it as CSV.')
        }
        if (name === 'numFmt') formats.set(Number(numFmtId), formatCode ?? '')
        if (name === 'xf' && isInCellFormats) styles.push(Number(numFmtId ?? 0))
      },
      close(name) {
        if (name === 'cellXfs') isInCellFormats = false
      },
    })
  }
  // Cached, because thousands of styles can share one number format.
  const known = new Map<number, boolean>()
  return styles.map((id) => {
    const isDate = known.get(id) ?? isDateFormat(id, formats.get(id))
    known.set(id, isDate)
    return isDate
  })
}
