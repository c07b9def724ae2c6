const DEADLOCK = '40P01'
const MAX_TRIES = 4

/** Retries a transaction that PostgreSQL ended because of a deadlock. */
export async function retryOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (tries === MAX_TRIES || Reflect.get(Object(error), 'code') !== DEADLOCK) throw error
    }
  }
}
