import { Help, HelpColumns, Template } from '../../ui/page/help.tsx'

const COLUMNS = {
  narrative_id: { about: 'The narrative’s number. One that the file names first is created.', example: '7' },
  message_composite_id: {
    about: 'Which message tells the story. Its platform and content type are read from it.',
    example: 'TELEGRAM:POST:48213',
  },
  story: { about: 'The text.', example: 'Prices rise before the harvest' },
  sentiment_score: { about: 'A number from -1 to 1. May be empty.', example: '-0.4' },
}

export function StoriesImportHelp() {
  return (
    <Help title="What the file needs">
      <p>A CSV or XLSX file with these columns, in any order:</p>
      <HelpColumns columns={COLUMNS} />
      <p>
        A file is taken whole or not at all: with one bad row nothing is stored. A story that is there already is not
        stored twice.
      </p>
      <Template file="stories-template.csv" rows={[Object.keys(COLUMNS)]} />
    </Help>
  )
}
