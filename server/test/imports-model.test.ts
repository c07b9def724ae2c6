import { compareImports } from './helpers/imports-model.ts'

compareImports(4)
