const MB = 1024 ** 2
export const MAX_BYTES = { csv: 512 * MB, xlsx: 128 * MB } as const

/** The maximum unpacked size of an .xlsx: its rows are streamed, its shared strings are held in memory. */
export const MAX_UNPACKED = { rows: 1024 * MB, other: 128 * MB } as const
