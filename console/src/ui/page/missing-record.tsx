import type { ComponentProps } from 'react'
import { notFoundError } from '../../api/call.ts'
import { Failed } from '../feedback/failed.tsx'
import { Page } from './page.tsx'

type MissingRecordProps = { record: string } & Pick<ComponentProps<typeof Failed>, 'back'>

/** The page of a record whose id, in the address, cannot exist. */
export function MissingRecord({ record, back }: MissingRecordProps) {
  return (
    <Page title={record}>
      <Failed error={notFoundError(record)} retry={() => {}} back={back} />
    </Page>
  )
}
