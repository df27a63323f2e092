// Packages beside Django that open transactions of its own in what applications call. Not what Django itself does.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const nested = (label: string): ScopeMeaning => ({ opens: 'transaction', whenNested: 'savepoint', label });

// ---- django-reversion, read at 6.4.0

const createRevision: Meaning = {
  scope: nested('reversion.create_revision()'),
  on: { position: 1, keyword: 'using' },
  when: [{ argument: { position: 2, keyword: 'atomic' }, is: 'False', then: { scope: undefined } }],
};

// ---- django-guardian, read at 3.5.2

const OBJECT = { position: 2, keyword: 'obj' };
const assigned: Meaning = {
  mayWrite: undefined,
  scope: { ...nested('get_or_create() of assign_perm()'), onMiss: true },
  inside: [{ write: { verb: 'insert', rows: 'one' } }],
};
/** Without an object it only relates two rows. */
const assignPerm: Meaning = { mayWrite: true, when: [{ argument: OBJECT, then: assigned }] };

// ---- django-treebeard: each method is one transaction since 5.0, read at 7.0.3

const NODE = 'treebeard.models.Node';
const moves = (label: string): Meaning => ({
  scope: nested(`${label}()`),
  inside: [{ mayWrite: true }],
  since: { package: 'pypi:django-treebeard', range: '>=5.0' },
});

// ---- django-import-export, read at 4.4.3

const RESOURCE = 'import_export.resources.Resource';
const HOOKS = ['before_import_row', 'get_instance', 'import_instance', 'before_save_instance', 'after_save_instance', 'after_import_row']; // biome-ignore format: one list
/** All rows are one transaction, and each of them a savepoint in it. */
const importData: Meaning = {
  scope: nested('import_data()'),
  inside: [
    {
      loops: 'items',
      inside: [{ scope: nested('import_row() of import_data()'), calls: HOOKS, inside: [{ mayWrite: true }] }],
    },
  ],
  when: [{ argument: { position: 3, keyword: 'use_transactions' }, is: 'False', then: { scope: undefined, inside: undefined, mayWrite: true } }],
}; // biome-ignore format: one variation

export default framework({
  name: 'django packages',
  language: 'python',
  packages: [
    'pypi:django-reversion',
    'pypi:django-guardian',
    'pypi:django-treebeard',
    'pypi:django-import-export',
  ],
  needles: ['create_revision(', 'assign_perm(', 'add_child(', 'add_root(', 'add_sibling(', '.import_data('],
  apis: {
    'reversion.revisions.create_revision': createRevision,
    'guardian.shortcuts.assign_perm': assignPerm,
    // A model has a handful of permissions.
    'guardian.shortcuts.get_perms_for_model': { few: true },
    'guardian.shortcuts.get_perms': { few: true },
    'guardian.shortcuts.get_user_perms': { few: true },
    'guardian.shortcuts.get_group_perms': { few: true },
  },
  types: {
    [NODE]: {
      add_root: moves('add_root'),
      add_child: moves('add_child'),
      add_sibling: moves('add_sibling'),
      load_bulk: moves('load_bulk'),
    },
    [RESOURCE]: { import_data: importData },
  },
  bases: { [NODE]: ['django.db.models.Model'] },
  extended: [NODE, RESOURCE],
  same: {
    'reversion.create_revision': 'reversion.revisions.create_revision',
    'treebeard.mp_tree.MP_Node': NODE,
    'treebeard.ns_tree.NS_Node': NODE,
    'treebeard.al_tree.AL_Node': NODE,
    'import_export.resources.ModelResource': RESOURCE,
  },
});
