import { WithHelp } from '../../ui/page/help.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EarlierImports } from '../operations/shared/operation-links.tsx'
import { StoriesImportHelp } from './help.tsx'
import { ImportForm } from './import-form.tsx'

export function StoriesImportPage() {
  return (
    <Page
      title="Stories import"
      isStart
      summary="Import stories from a file and attach them to narratives"
      filters={<EarlierImports kind="stories_import" />}
    >
      <WithHelp help={<StoriesImportHelp />}>
        <ImportForm />
      </WithHelp>
    </Page>
  )
}
