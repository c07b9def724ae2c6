import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import classes from './preview.module.css'
import { unframeable } from './unframeable.ts'

const LOAD_TIMEOUT_MS = 10_000

/** Loads the linked page on request only, not while the link is being typed. */
export function Preview({ link }: { link: string | undefined }) {
  const [asked, setAsked] = useState<string>()
  return (
    <section className={classes.preview} aria-labelledby="preview">
      <h2 id="preview" className={classes.heading}>
        Preview
      </h2>
      {link === undefined ? (
        <Notice>Enter a valid embed link to preview it before you save.</Notice>
      ) : link === asked ? (
        <Shown key={link} link={link} />
      ) : (
        <Notice>
          Load the embed link to see how it looks.
          <Button variant="default" onClick={() => setAsked(link)}>
            Show preview
          </Button>
        </Notice>
      )}
    </section>
  )
}

function Shown({ link }: { link: string }) {
  const refusal = unframeable(link, window.location.href)
  if (refusal === undefined) return <Frame link={link} />
  return (
    <Notice role="alert">
      <span>
        <strong>This link cannot be embedded.</strong> {refusal}
      </span>
      <NewTab link={link} />
    </Notice>
  )
}

function Frame({ link }: { link: string }) {
  const [state, setState] = useState<'waiting' | 'loaded' | 'silent'>('waiting')
  useEffect(() => {
    if (state !== 'waiting') return
    const timer = setTimeout(() => setState('silent'), LOAD_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [state])

  if (state === 'silent') {
    return (
      <Notice role="alert">
        <span>
          <strong>The link did not load.</strong> The site is slow or does not allow embedding.
        </span>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setState('waiting')}>
            Try again
          </Button>
          <NewTab link={link} />
        </div>
      </Notice>
    )
  }
  return (
    <>
      <div className={classes.screen} aria-busy={state === 'waiting'}>
        {state === 'waiting' && <Loading label="Loading the preview" />}
        <iframe
          className={classes.frame}
          title="Preview of the embed link"
          src={link}
          // Reports need scripts and their own session. With both permissions a page of our own origin could remove its
          // sandbox; `unframeable` rules that origin out.
          sandbox="allow-scripts allow-same-origin"
          referrerPolicy="no-referrer"
          loading="lazy"
          onLoad={() => setState('loaded')}
        />
      </div>
      {/* Browsers fire `load` for a blocked frame too, so the page cannot detect it. */}
      <p className={classes.note}>
        <span>If the preview stays blank, the link is wrong or the site does not allow embedding.</span>
        <NewTab link={link} />
      </p>
    </>
  )
}

function Notice({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <div className={classes.notice} role={role}>
      {children}
    </div>
  )
}

function NewTab({ link }: { link: string }) {
  return (
    <a className={classes.tab} href={link} target="_blank" rel="noopener noreferrer">
      Open in a new tab
      <Icon name="external-link" size={16} />
    </a>
  )
}
