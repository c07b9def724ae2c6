import { type Env, StartError } from '../../env.ts'
import { type Airflow, createAirflow } from './airflow.ts'

type Settings = Pick<
  Env,
  'AIRFLOW_URL' | 'AIRFLOW_VERSION' | 'AIRFLOW_USERNAME' | 'AIRFLOW_PASSWORD' | 'AIRFLOW_DAG_ID'
>

/** Undefined if AIRFLOW_URL is not set. */
export function openAirflow(env: Settings): Airflow | undefined {
  if (env.AIRFLOW_URL === undefined) return undefined
  if (!env.AIRFLOW_USERNAME || !env.AIRFLOW_PASSWORD) {
    const missing = env.AIRFLOW_USERNAME ? 'AIRFLOW_PASSWORD' : 'AIRFLOW_USERNAME'
    throw new StartError(`Bad setting. ${missing}: must be set when AIRFLOW_URL is set`)
  }
  return createAirflow({
    url: env.AIRFLOW_URL,
    version: env.AIRFLOW_VERSION,
    username: env.AIRFLOW_USERNAME,
    password: env.AIRFLOW_PASSWORD,
    dagId: env.AIRFLOW_DAG_ID,
  })
}
