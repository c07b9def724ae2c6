import { crc32, deflateRawSync } from 'node:zlib'

type Part = {
  name: string
  content: string | Buffer /** What the archive says it unpacks to, when that is a lie. */
  claims?: number
}

/** A ZIP archive, deflated. */
export function zip(parts: Part[]): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, content, claims } of parts) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const sizes = [crc32(bytes), packed.length, claims ?? bytes.length]
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    for (const [index, size] of sizes.entries()) head.writeUInt32LE(size, 14 + 4 * index)
    head.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    for (const [index, size] of sizes.entries()) entry.writeUInt32LE(size, 16 + 4 * index)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(offset, 42)
    files.push(head, Buffer.from(name), packed)
    list.push(entry, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, directory, end])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

type Workbook = {
  /** The contents of `sheetData`. */
  rows: string
  /** The contents of each `si`. */
  shared?: string[]
  /** In tab order; the first is read. */
  sheets?: { name: string; file: string }[]
  others?: Part[]
  date1904?: boolean
  claims?: number
}

/** A workbook with Excel's structure and any sheet contents. */
export function workbook({ rows, shared, sheets, others = [], date1904, claims }: Workbook): Buffer {
  const tabs = sheets ?? [{ name: 'Sheet1', file: 'sheet1.xml' }]
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`
  const override = (name: string, kind: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  const sheet: Part = {
    name: `xl/worksheets/${tabs[0]?.file}`,
    content: `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
  }
  return zip([
    {
      name: '[Content_Types].xml',
      content: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('xl/workbook.xml', 'sheet.main')}${tabs.map(({ file }) => override(`xl/worksheets/${file}`, 'worksheet')).join('')}${override('xl/styles.xml', 'styles')}${override('xl/sharedStrings.xml', 'sharedStrings')}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${tabs.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${XML}<Relationships xmlns="${PACKAGE}/relationships">${tabs.map(({ file }, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/${file}`)).join('')}${relation('rId90', 'styles', 'styles.xml')}${shared ? relation('rId91', 'sharedStrings', 'sharedStrings.xml') : ''}</Relationships>`,
    },
    {
      // Styles 1 to 4: a date, a date with time, a time, a color.
      name: 'xl/styles.xml',
      content: `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="21"/><xf numFmtId="0"/></cellXfs></styleSheet>`,
    },
    ...(shared
      ? [
          {
            name: 'xl/sharedStrings.xml',
            content: `${XML}<sst xmlns="${MAIN}" count="${shared.length}" uniqueCount="${shared.length}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
            ...(claims === undefined ? {} : { claims }),
          },
        ]
      : []),
    sheet,
    ...others,
  ])
}

/** Cells as Google Sheets and scripts write them: with inline strings. */
export function inline(...texts: string[]) {
  return texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
}
