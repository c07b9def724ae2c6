import { useQueryClient } from '@tanstack/react-query'
import type { Version } from '../../api/if-match.ts'
import { formatCount } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { Page } from '../../ui/page/page.tsx'
import { LastChanged } from '../activity/shared/last-changed.tsx'
import { NewerVersion } from '../activity/shared/newer-version.tsx'
import { ConfigFields } from './fields.tsx'
import { updateWebsiteConfig, websiteConfigQuery } from './queries.ts'
import { bodyOf, type ConfigValues } from './values.ts'

type Config = { values: ConfigValues; version: Version }

/** The form accepts any keys and values. */
const configQuery = { ...websiteConfigQuery, select: (config: Config) => config }

export function WebsiteConfigPage() {
  const { data: config, edition, error, retry, restart, renew } = useInitialData(configQuery)
  return (
    <Page
      title="Website config"
      summary={config ? `${formatCount(Object.keys(config.values).length, 'product-wide setting')}` : ' '}
      changed={<LastChanged of={{ entity: 'website_config' }} onPutBack={renew} />}
    >
      {config ? (
        // After a save, the saved values and their version are the new baseline.
        <ConfigForm key={edition} config={config} onSaved={restart} />
      ) : error ? (
        <Failed error={error} retry={retry} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function ConfigForm({ config, onSaved }: { config: Config; onSaved: (saved: Config) => void }) {
  const client = useQueryClient()
  const save = useSave({
    initial: config.values,
    schema: () => import('@watchdesk/contract/website-config.schema').then((schema) => schema.updateOf(config.values)),
    body: bodyOf,
    save: async (body, headers) => ({
      values: { ...config.values, ...body },
      version: await updateWebsiteConfig(body, headers),
    }),
    saved: (saved, { note }) => {
      toastSuccess('Website config saved successfully!', { note })
      onSaved(saved)
      void client.invalidateQueries({ queryKey: websiteConfigQuery.queryKey })
      void client.invalidateQueries({ queryKey: ['history'] })
    },
    version: config.version,
    conflict: {
      record: { entity: 'website_config' },
      texts: () => import('./shared/labels.ts'),
      load: async () => {
        const { values, version } = await client.fetchQuery({ ...websiteConfigQuery, staleTime: 0 })
        return { values, version }
      },
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  return (
    <Form
      save={save}
      action="Save"
      notice={<NewerVersion of={{ entity: 'website_config' }} version={config.version} />}
    >
      <ConfigFields form={save.form} />
    </Form>
  )
}
