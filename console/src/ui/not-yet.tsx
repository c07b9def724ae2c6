import { Page } from './page.tsx'

/** Stands for a screen that is planned, so that its menu entry leads somewhere. */
export function NotYet({ title }: { title: string }) {
  return <Page title={title} summary="This screen is not available yet." />
}
