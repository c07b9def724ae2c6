import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** The annotation of a test in which the browser itself crashed or hung. */
export const BROWSER_FAULT = 'browser'

/** Lists those tests at the end of a run. */
export default class BrowserReporter implements Reporter {
  private faults: string[] = []

  onTestEnd(test: TestCase, { annotations }: TestResult) {
    const [, , ...title] = test.titlePath()
    for (const { type, description } of annotations)
      if (type === BROWSER_FAULT) this.faults.push(`${description}: ${title.join(' › ')}`)
  }

  onEnd() {
    if (this.faults.length > 0) console.log(`\nFaults of the browser itself\n${this.faults.join('\n')}`)
  }
}
