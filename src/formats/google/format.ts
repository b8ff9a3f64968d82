import { headOf } from '../bytes/stored-bytes.ts'
import type { Format } from '../format.ts'
import { encodingOfXml } from '../text/declared-encoding.ts'
import { opensText } from '../text/open-text.ts'
import { feedRows, HEAD, isFeed } from './feed.ts'

/** A feed of products for Google Merchant Center in XML; as tsv it is a table like others. */
export const google: Format = {
  type: 'google',
  endings: ['xml'],
  rejectsAs: 'csv',
  recognises: async (file) => isFeed((await headOf(file, HEAD)).toString('latin1')),
  open: opensText({ declares: encodingOfXml, rows: feedRows }),
}
