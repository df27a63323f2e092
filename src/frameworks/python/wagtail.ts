// Wagtail: its pages save, move and copy themselves in a transaction of their own. Not what Django's models do.
import { framework, type Meaning } from '../../framework.ts';

const PAGE = 'wagtail.models.Page';
const MODEL = 'django.db.models.Model';

const nested = (label: string, inside: Meaning): Meaning => ({
  scope: { opens: 'transaction', whenNested: 'savepoint', label: `${label}()` },
  inside: [inside],
});
const save: Meaning = { write: { verb: 'save', rows: 'one' } };
/** The new node saves itself, and its table is another one perhaps. */
const add = (label: string): Meaning => nested(label, { mayWrite: true });

const roots = ['wagtail.core.models', 'wagtail.wagtailcore.models', 'wagtail.models.pages'];

export default framework({
  name: 'wagtail',
  language: 'python',
  packages: ['pypi:wagtail'],
  needles: ['wagtail.models', 'wagtail.core.models', 'save_revision|', '|add_child('],
  types: {
    [PAGE]: {
      save: nested('Page.save', save),
      save_revision: nested('save_revision', save),
      move: nested('Page.move', { write: { verb: 'update', rows: 'many', withoutCallbacks: true } }),
      copy_for_translation: nested('copy_for_translation', { mayWrite: true }),
      add_child: add('add_child'),
      add_sibling: add('add_sibling'),
    },
  },
  bases: { [PAGE]: [MODEL] },
  same: {
    ...Object.fromEntries(roots.map((root) => [`${root}.Page`, PAGE])),
    'wagtail.models.Orderable': MODEL,
    'wagtail.core.models.Orderable': MODEL,
    'wagtail.images.models.AbstractImage': MODEL,
    'wagtail.contrib.settings.models.BaseSiteSetting': MODEL,
  },
});
