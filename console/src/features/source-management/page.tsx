import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { PLATFORMS, type Platform } from '@watchdesk/contract/enums'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { AuditorNote, Changing } from '../../ui/page/can-change.tsx'
import { WithHelp } from '../../ui/page/help.tsx'
import { PageFrame, PageTitle } from '../../ui/page/page.tsx'
import { EarlierImports } from '../operations/shared/operation-links.tsx'
import { websiteConfigQuery } from '../website-config/queries.ts'
import { ConfiguredSheet } from './configured-sheet.tsx'
import { SourceManagementHelp } from './help.tsx'
import classes from './page.module.css'
import { Result } from './result.tsx'
import { type Outcome, transfer } from './transfer.ts'

const REQUIRED = 'Platform is required!'

export function SourceManagementPage() {
  const client = useQueryClient()
  const [platform, setPlatform] = useState<Platform | null>(null)
  const [error, setError] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const [pending, setPending] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const pressed = useRef<string>(undefined)

  // The buttons are replaced while waiting, which loses the focus.
  useEffect(() => {
    if (pending !== undefined || pressed.current === undefined || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`button[name=type][value="${CSS.escape(pressed.current)}"]`)?.focus()
  }, [pending])

  async function start({ currentTarget: { value: type } }: MouseEvent<HTMLButtonElement>) {
    if (pending !== undefined) return
    setOutcome(undefined)
    setError(platform ? '' : REQUIRED)
    if (!platform) return field.current?.focus()
    pressed.current = type
    setPending(type)
    setOutcome(await transfer(type, platform))
    setPending(undefined)
    // The first export of a platform sets its sheet in the config.
    void client.invalidateQueries({ queryKey: websiteConfigQuery.queryKey })
  }

  return (
    <PageFrame>
      <WithHelp help={<SourceManagementHelp platform={platform} />}>
        <section className={classes.card} aria-busy={pending !== undefined}>
          <div>
            <PageTitle title="Source management" />
            <p className={classes.about}>
              Import the sources of a platform from its sheet, or export them to a new sheet
            </p>
            <EarlierImports kind="platform_import" />
          </div>
          <Changing instead={<AuditorNote />}>
            <div className={classes.fields} inert={pending !== undefined}>
              <Select
                ref={field}
                label="Platform"
                placeholder="Choose a platform"
                required
                data={PLATFORMS}
                value={platform}
                error={error}
                allowDeselect={false}
                onChange={(chosen) => {
                  setPlatform(chosen as Platform | null)
                  setError('')
                }}
              />
              {platform && <ConfiguredSheet platform={platform} />}
            </div>
            <div className={classes.actions}>
              {pending !== undefined ? (
                <Loading label={pending === 'import' ? 'Importing sources' : 'Exporting sources'} />
              ) : (
                <>
                  {/* Not submit buttons: Enter in the field should start nothing. */}
                  <Button name="type" value="import" leftSection={<Icon name="file-in" />} onClick={start}>
                    Import sources
                  </Button>
                  <Button
                    name="type"
                    value="export"
                    variant="default"
                    leftSection={<Icon name="upload" />}
                    onClick={start}
                  >
                    Export sources
                  </Button>
                </>
              )}
            </div>
          </Changing>
          {outcome && <Result outcome={outcome} />}
        </section>
      </WithHelp>
    </PageFrame>
  )
}
