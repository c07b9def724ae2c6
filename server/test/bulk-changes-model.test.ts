import { compareBulkChanges } from './helpers/bulk-changes-model.ts'

compareBulkChanges(6)
