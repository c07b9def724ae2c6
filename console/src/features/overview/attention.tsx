import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AttentionName, Overview } from '@watchdesk/contract/overview'
import { formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { linkTo } from '../../ui/navigation/back-link.ts'
import classes from './attention.module.css'
import { GROUPS, type Group, linkOf } from './attention-groups.ts'

/** What needs a person, as cards. What does not is one line each. */
export function Attention({ overview }: { overview: Overview }) {
  const needed = GROUPS.filter((group) => namesOf(group).some((name) => overview.attention[name] > 0))
  const calm = GROUPS.filter((group) => !needed.includes(group))
  return (
    <section aria-labelledby="attention">
      <Title order={2} id="attention" className={classes.heading}>
        Needs attention
      </Title>
      {needed.length === 0 && <p className={classes.nothing}>Nothing needs you today</p>}
      <div className={classes.cards}>
        {needed.map((group) => (
          <Card key={group.key} group={group} overview={overview} />
        ))}
      </div>
      {calm.length > 0 && (
        <ul className={classes.calm}>
          {calm.map(({ key, calm }) => (
            <li key={key}>
              <Icon name="check" size={16} />
              {calm}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function namesOf({ counts }: Group) {
  return Object.keys(counts) as AttentionName[]
}

function Card({ group, overview }: { group: Group; overview: Overview }) {
  const { attention, today, first } = overview
  const id = `needs-${group.key}`
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={3} id={id} className={classes.title}>
        {group.title}
      </Title>
      <ul className={classes.numbers}>
        {namesOf(group).map((name) => (
          <li key={name}>
            <Link {...linkOf(name, today)} className={classes.number} data-zero={attention[name] === 0 || undefined}>
              <strong>{formatNumber(attention[name])}</strong> {group.counts[name]?.(attention[name])}
            </Link>
          </li>
        ))}
      </ul>
      <ul className={classes.rows}>
        {first[group.key].map((row) => (
          <li key={row.id} className={classes.row}>
            {group.page ? (
              <Link {...linkTo({ to: group.page(row.id), search: {} })} className={classes.name}>
                {row.name}
              </Link>
            ) : (
              <span className={classes.name}>{row.name}</span>
            )}
            <span className={classes.detail}>{group.detail(row, today)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
