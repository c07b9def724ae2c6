import { sweepDuels } from '../../../test/helpers/duels.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

sweepDuels(useWatchdesk(), 200)
