export type * from './page.schema.ts'

export type Page<Item> = { objects: Item[]; total: number; size: number }
