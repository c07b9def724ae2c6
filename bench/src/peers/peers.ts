import type { Contender } from '../contender.ts'

type Peers = { contenders: Contender[]; missing: { name: string; reason: string }[] }

const NAMES = ['AdminJS', 'NestJS + TypeORM', 'Directus']

/** Installs and starts the other admin servers on the same database. */
export async function startPeers(_databaseUrl: string): Promise<Peers> {
  return { contenders: [], missing: NAMES.map((name) => ({ name, reason: 'not measured yet' })) }
}
