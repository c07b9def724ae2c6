import { Page } from '../../ui/page.tsx'
import { Help } from './help.tsx'
import { ImportForm } from './import-form.tsx'
import classes from './page.module.css'

export function StoriesImportPage() {
  return (
    <Page title="Stories import" summary="Stories from a file, attached to their narratives">
      <div className={classes.columns}>
        <ImportForm />
        <Help />
      </div>
    </Page>
  )
}
