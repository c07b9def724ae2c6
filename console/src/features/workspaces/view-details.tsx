import { settingsOf } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import type { ReactNode } from 'react'
import { formatDay } from '../../ui/display/format.ts'
import { Tag } from '../../ui/display/tag.tsx'
import { fieldsOf, formatThreshold } from './fields.ts'
import { LABELS } from './labels.ts'
import { QuotaBar } from './quota-bar.tsx'
import { isTrialOver } from './shared/trial.ts'
import { Status } from './status.tsx'
import classes from './view.module.css'

/** The settings and quotas of a workspace, or placeholders of the same size while it loads. */
export function WorkspaceDetails({ workspace }: { workspace: Workspace | undefined }) {
  const fields = workspace && fieldsOf(workspace)
  return (
    <div className={classes.details} aria-busy={!fields}>
      <dl className={classes.facts}>
        <Fact label={LABELS.description}>{fields && (fields.description || '–')}</Fact>
        <Fact label={LABELS.status}>
          {fields && <Status status={fields.status} />}
          {fields?.status === 'TRIAL' && fields.trial_end_date && (
            <span className={classes.note}>
              {isTrialOver(fields) ? 'ended on' : 'until'} {formatDay(fields.trial_end_date)}
            </span>
          )}
          {fields?.status === 'DEACTIVATED' && <span className={classes.note}>Its users cannot sign in.</span>}
        </Fact>
        <Fact label={LABELS.roles}>{fields && <Badges names={fields.roles} />}</Fact>
        <Fact label={LABELS.featureflags}>{fields && <Badges names={fields.featureflags} />}</Fact>
        <Fact label={LABELS.search_similarity_threshold}>
          {fields && typeof fields.search_similarity_threshold === 'number'
            ? formatThreshold(fields.search_similarity_threshold)
            : fields && '–'}
        </Fact>
        <Fact label={LABELS.keywords_parser_class}>{fields && (fields.keywords_parser_class || '–')}</Fact>
        {settingsOf('yes_no').map((name) => (
          <Fact key={name} label={LABELS[name]}>
            {fields && (fields[name] ? 'Yes' : 'No')}
          </Fact>
        ))}
      </dl>
      <div className={classes.quotas}>
        <Quota label="Analytical quota" quota={fields?.analytical_quota} />
        <Quota label="AI quota" quota={fields?.ai_quota} />
      </div>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children ?? <span className={classes.bone} />}</dd>
    </div>
  )
}

function Badges({ names = [] }: { names: string[] | undefined }) {
  if (names.length === 0) return '–'
  return (
    <span className={classes.badges}>
      {names.map((name) => (
        <Tag key={name}>{name}</Tag>
      ))}
    </span>
  )
}

function Quota({ label, quota }: { label: string; quota: ReturnType<typeof fieldsOf>['ai_quota'] }) {
  return (
    <div className={classes.quota}>
      <QuotaBar label={label} balance={quota?.balance ?? 0} limit={quota?.limit ?? 0} />
      <p className={classes.renewal}>{quota?.renewal_date ? `Renews on ${formatDay(quota.renewal_date)}` : ' '}</p>
    </div>
  )
}
