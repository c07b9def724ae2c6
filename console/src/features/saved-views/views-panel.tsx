import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SavedView } from '@watchdesk/contract/saved-views'
import { useEffect, useRef, useState } from 'react'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { createView, deleteView, savedViewsQuery, updateView } from './queries.ts'
import { readyMadeViews } from './ready-made.ts'
import type { ShownColumns } from './shared/use-columns.ts'
import { useAddress } from './use-address.ts'
import { ViewForm } from './view-form.tsx'
import { ViewRow } from './view-row.tsx'
import classes from './views-panel.module.css'

/** Opens, saves and changes views. */
export function ViewsPanel({ of, onDone }: { of: ShownColumns; onDone: () => void }) {
  const { list } = of
  const { data: views, error } = useQuery(savedViewsQuery(list))
  const panel = useRef<HTMLDivElement>(null)
  const [renamed, setRenamed] = useState<string>()
  const { current, searchOf, addressOf } = useAddress(of)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: savedViewsQuery(list).queryKey })

  /** The focused button may be gone or disabled: without the focus in it, Escape would not close the panel. */
  const focus = () => panel.current?.focus()
  useEffect(focus, [])

  async function save(name: string) {
    await createView({ list, name, query: current })
    await refresh()
    focus()
    toastSuccess(`View saved: ${name}`)
  }

  async function rename(view: SavedView, new_name: string) {
    await updateView({ list, name: view.name, new_name })
    await refresh()
    setRenamed(undefined)
    focus()
  }

  async function replace(view: SavedView) {
    const undo = { run: () => updateView(view).then(refresh), done: `View restored: ${view.name}` }
    await updateView({ ...view, query: current })
    await refresh()
    toastSuccess(`View replaced: ${view.name}`, { undo })
  }

  async function remove(view: SavedView) {
    const undo = { run: () => createView(view).then(refresh), done: `View restored: ${view.name}` }
    await deleteView(view)
    await refresh()
    focus()
    toastSuccess(`View deleted: ${view.name}`, { undo })
  }

  return (
    <div ref={panel} tabIndex={-1} className={classes.panel}>
      <h2 className={classes.heading}>Your views</h2>
      {error && !views ? (
        <p className={classes.none}>Your views could not be loaded.</p>
      ) : (
        <ul className={classes.views} aria-label="Your views">
          {views?.map((view) =>
            view.name === renamed ? (
              <li key={view.name}>
                <ViewForm
                  label={`New name of ${view.name}`}
                  button="Rename"
                  initial={view.name}
                  onSubmit={(name) => rename(view, name)}
                />
              </li>
            ) : (
              <ViewRow
                key={view.name}
                name={view.name}
                search={searchOf(view.query)}
                list={list}
                isCurrent={view.query === current}
                link={addressOf(view.query)}
                onOpen={onDone}
                onRename={() => setRenamed(view.name)}
                onReplace={() => void replace(view).catch(toastError)}
                onRemove={() => void remove(view).catch(toastError)}
              />
            ),
          )}
        </ul>
      )}
      {views?.length === 0 && (
        <p className={classes.none}>No views yet. Save the present filters, order and columns.</p>
      )}
      <ViewForm label="Name of the view" button="Save view" onSubmit={save} />
      <h2 className={classes.heading}>Ready-made</h2>
      <ul className={classes.views} aria-label="Ready-made views">
        {readyMadeViews(list).map(({ name, search }) => (
          <li key={name}>
            <Link to={`/${list}`} search={search} className={classes.link} onClick={onDone}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        renderRoot={(props) => <Link to={`/${list}`} search={{}} {...props} onClick={onDone} />}
      >
        Show all {list}
      </Button>
    </div>
  )
}
