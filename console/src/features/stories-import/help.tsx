import { Help, HelpColumns, Template } from '../../ui/page/help.tsx'

const COLUMNS = {
  narrative_id: { about: 'The number of the narrative. If it does not exist yet, it is created.', example: '7' },
  message_composite_id: {
    about: 'The id of the message with the story. It contains the platform and the content type.',
    example: 'TELEGRAM:POST:48213',
  },
  story: { about: 'The text of the story.', example: 'Prices rise before the harvest' },
  sentiment_score: { about: 'A number from -1 to 1. May be empty.', example: '-0.4' },
}

export function StoriesImportHelp() {
  return (
    <Help title="What the file needs">
      <p>A CSV or XLSX file with these columns, in any order:</p>
      <HelpColumns columns={COLUMNS} />
      <p>If any row is invalid, nothing is imported. Stories that already exist are not imported again.</p>
      <Template file="stories-template.csv" rows={[Object.keys(COLUMNS)]} />
    </Help>
  )
}
