/** The maximum number of columns in a spreadsheet. */
export const MAX_COLUMNS = 16_384

const MB = 1024 ** 2
export const MAX_BYTES = { csv: 512 * MB, xlsx: 128 * MB } as const

/** The maximum unpacked size of an .xlsx: its rows are streamed, everything else is held in memory. */
export const MAX_UNPACKED = { rows: 1024 * MB, other: 128 * MB } as const
export const MAX_PARTS = 10_000
