import { useQueryClient } from '@tanstack/react-query'
import type { SourceDetails } from '@watchdesk/contract/sources'
import { lazy, type ReactNode, Suspense } from 'react'
import { countryName } from '../../ui/display/country-name.ts'
import { formatMoment } from '../../ui/display/format.ts'
import { Code } from '../../ui/display/tag.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { Form, FormSheet } from '../../ui/form/form.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { NewerVersion } from '../activity/shared/newer-version.tsx'
import { ImportLink } from './cells.tsx'
import { refreshSources, sourceQuery, updateSource } from './queries.ts'
import classes from './view.module.css'

const CountrySelect = lazy(() =>
  import('../../ui/form/country-select.tsx').then((module) => ({ default: module.CountrySelect })),
)

type DetailsProps = { source: SourceDetails; onSaved: (saved: SourceDetails) => void }

/** What is known of a source. The country can be changed. */
export function DetailsForm({ source, onSaved }: DetailsProps) {
  const client = useQueryClient()
  const save = useSave({
    initial: { country: source.country },
    schema: () => import('@watchdesk/contract/sources.schema').then((schema) => schema.SourceUpdate),
    body: (values) => values,
    save: (body, headers) => updateSource(source.id, body, headers),
    saved: async (saved, { note }) => {
      toastSuccess('Source saved.', { note })
      onSaved({ ...saved, deleted_at: null })
      await refreshSources(client)
    },
    version: source.version,
    conflict: {
      record: { entity: 'source', id: source.id },
      texts: () => import('./shared/labels.ts'),
      load: async () => {
        const { country, version } = await client.fetchQuery({ ...sourceQuery(source.id), staleTime: 0 })
        return { values: { country }, version }
      },
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  if (source.deleted_at !== null) {
    return (
      <FormSheet>
        <Facts source={source}>
          <Fact label="Country">{source.country === null ? '–' : countryName(source.country)}</Fact>
        </Facts>
      </FormSheet>
    )
  }
  return (
    <Form
      save={save}
      action="Save"
      notice={<NewerVersion of={{ entity: 'source', entity_id: source.id }} version={source.version} />}
    >
      <FormSheet>
        <Facts source={source} />
        <Suspense fallback={<Loading />}>
          <CountrySelect
            label="Country"
            placeholder="No country"
            clearable
            {...save.form.getInputProps('country')}
            value={save.form.getValues().country}
          />
        </Suspense>
      </FormSheet>
    </Form>
  )
}

function Facts({ source, children }: { source: SourceDetails; children?: ReactNode }) {
  const { platform, created_at, created_by, updated_at, updated_by } = source
  return (
    <dl className={classes.facts}>
      <Fact label="Platform">
        <Code>{platform}</Code>
      </Fact>
      {children}
      <Fact label="Added">{byAndAt(created_at, created_by)}</Fact>
      <Fact label="Import">
        <ImportLink of={source} />
      </Fact>
      <Fact label="Last change">{byAndAt(updated_at, updated_by)}</Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function byAndAt(at: string, by: SourceDetails['created_by']) {
  return by ? `${formatMoment(at)} by ${by.name}` : formatMoment(at)
}
