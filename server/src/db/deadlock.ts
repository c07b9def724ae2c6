const DEADLOCK = '40P01'
const MAX_TRIES = 4

/** Begins a transaction anew when it waited for another that waited for it: the other one goes first then. */
export async function retryOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (tries === MAX_TRIES || Reflect.get(Object(error), 'code') !== DEADLOCK) throw error
    }
  }
}
