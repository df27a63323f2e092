// Django: what its transactions, querysets, models and migrations send. Rows of the catalogue: S001–S017.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const USING = { position: 0, keyword: 'using' };
const ATOMIC: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'savepoint',
  label: 'transaction.atomic()',
  joinsWith: 'savepoint=False',
};

const atomic: Meaning = {
  scope: ATOMIC,
  on: USING,
  when: [
    {
      argument: { position: 2, keyword: 'durable' },
      is: 'True',
      then: { scope: { ...ATOMIC, whenNested: 'refuse', label: 'transaction.atomic(durable=True)' } },
    },
    {
      argument: { position: 1, keyword: 'savepoint' },
      is: 'False',
      then: { scope: { ...ATOMIC, whenNested: 'join', label: 'transaction.atomic(savepoint=False)' } },
    },
  ],
};

const savepoints: Record<string, Meaning> = {
  savepoint: { flat: 'savepoint', on: USING, endedBy: ['savepoint_commit', 'savepoint_rollback'] },
  savepoint_commit: {
    flat: 'release',
    name: { position: 0, keyword: 'sid' },
    on: { position: 1, keyword: 'using' },
  },
  savepoint_rollback: {
    flat: 'rollback to',
    name: { position: 0, keyword: 'sid' },
    on: { position: 1, keyword: 'using' },
  },
  // Of the innermost atomic() that has a savepoint or the transaction, when it ends.
  set_rollback: {
    dooms: 'perhaps',
    on: { position: 1, keyword: 'using' },
    when: [
      { argument: { position: 0, keyword: 'rollback' }, is: 'True', then: { dooms: true } },
      { argument: { position: 0, keyword: 'rollback' }, is: 'False', then: { dooms: undefined } },
    ],
  },
  commit: { flat: 'commit', on: USING },
  rollback: { flat: 'rollback', on: USING },
  on_commit: { elsewhere: true },
};

const MANAGER = 'django.db.models.Manager';
const QUERYSET = 'django.db.models.QuerySet';
const MODEL = 'django.db.models.Model';

const INSERTS = 'force_insert';
/** What receivers of signals call the object. */
const OBJECT = 'instance';
const insert: Meaning = { write: { verb: 'insert', rows: 'one', through: 'save', insertsBy: INSERTS } };
const nested = (label: string): ScopeMeaning => ({ opens: 'transaction', whenNested: 'savepoint', label });

const getOrCreate: Meaning = {
  anywhereBy: 'defaults',
  read: { rows: 'one' },
  scope: {
    ...nested('get_or_create()'),
    onMiss: true,
    instead:
      'Write all rows at once: bulk_create(…, ignore_conflicts=True) opens no savepoint and leaves alone the rows that are there; it runs no save() and no signals.',
  },
  inside: [insert],
  returns: 'item',
};
const updateOrCreate: Meaning = {
  anywhereBy: 'defaults',
  scope: {
    ...nested('update_or_create()'),
    instead:
      'Write all rows at once: bulk_create(…, update_conflicts=True), from Django 4.1 on, opens no savepoint; it runs no save() and no signals.',
  },
  inside: [
    { rowLock: { strength: 'update' } },
    {
      either: [
        // Its own get_or_create() inside, which nobody wrote.
        { scope: { ...nested('get_or_create() of update_or_create()'), onMiss: true }, inside: [insert] },
        { write: { verb: 'save', rows: 'one', through: 'save' } },
      ],
    },
  ],
  returns: 'item',
};
const create: Meaning = { ...insert, returns: 'item' };
const update: Meaning = {
  write: { verb: 'update', rows: 'many', withoutCallbacks: true, setsKeywords: true },
  unlocked: true,
};
const bulkCreate: Meaning = {
  write: { verb: 'insert', rows: 'many', withoutCallbacks: true },
  when: [
    {
      argument: 'update_conflicts',
      is: 'True',
      then: { write: { verb: 'insert', rows: 'many', withoutCallbacks: true, onConflict: 'update' } },
    },
    {
      argument: 'ignore_conflicts',
      is: 'True',
      then: { write: { verb: 'insert', rows: 'many', withoutCallbacks: true, onConflict: 'nothing' } },
    },
  ],
};
const bulkUpdate: Meaning = { write: { verb: 'update', rows: 'many', withoutCallbacks: true } };
const one: Meaning = { read: { rows: 'one' }, returns: 'item' };
const count: Meaning = { read: { rows: 'many' } };
const aggregate: Meaning = { ...count, unlocked: true };
const itself: Meaning = { returns: 'self' };
const relates: Meaning = { mayWrite: true };
/** Of a file of an object: the object is saved unless it is told not to be. */
const FILE = 'django.db.models.fields.files.FieldFile';
const saves = (position: number): Meaning => ({
  mayWrite: true,
  when: [{ argument: { position, keyword: 'save' }, is: 'False', then: { mayWrite: undefined } }],
});
const remove: Meaning = { write: { verb: 'delete', rows: 'many' }, unlocked: true };

/** Models that Django brings, of which repositories save objects; the first is whatever a setting names. */
const OWN_MODELS = [
  'auth.User', 'auth.models.User', 'auth.models.Group', 'auth.models.Permission', 'contenttypes.models.ContentType', 'sites.models.Site',
].map((name) => `django.contrib.${name}`); // biome-ignore format: one list

/** Models of other packages that projects' own descend from. */
const ABSTRACT = [
  ...['TimeStamped', 'TimeFramed', 'Status', 'SoftDeletable', 'UUID'].map((name) => `model_utils.models.${name}Model`),
  ...['TimeStamped', 'TitleDescription', 'TitleSlugDescription', 'Activator'].map((name) => `django_extensions.db.models.${name}Model`),
  'mptt.models.MPTTModel',
  'polymorphic.models.PolymorphicModel', 'solo.models.SingletonModel', 'ordered_model.models.OrderedModel', 'parler.models.TranslatableModel',
  'safedelete.models.SafeDeleteModel', 'modelcluster.models.ClusterableModel', 'psqlextra.models.PostgresModel', 'django_lifecycle.LifecycleModel',
  'taggit.models.TagBase', 'taggit.models.ItemBase', 'cms.models.CMSPlugin', 'django.contrib.auth.models.PermissionsMixin',
]; // biome-ignore format: one list

const LOCK = { strength: 'update' } as const;
const selectForUpdate: Meaning = {
  rowLock: LOCK,
  locksOf: { position: 2, keyword: 'of' },
  returns: 'self',
  when: [
    { argument: 'no_key', is: 'True', then: { rowLock: { strength: 'no key update' } } },
    {
      argument: { position: 1, keyword: 'skip_locked' },
      is: 'True',
      then: { rowLock: { ...LOCK, skipLocked: true } },
    },
  ],
};

const chain = [
  'all', 'exclude', 'order_by', 'distinct', 'annotate', 'alias', 'select_related', 'prefetch_related', 'only',
  'defer', 'reverse', 'intersection', 'difference', 'iterator', 'aiterator', 'none', 'extra', 'complex_filter', 'get_queryset',
]; // biome-ignore format: one list

const query: Record<string, Meaning> = {
  ...Object.fromEntries(chain.map((name) => [name, itself])),
  filter: { ...itself, picks: true },
  union: { ...itself, widens: true },
  raw: { ...itself, sql: { position: 0, keyword: 'raw_query' } },
  using: { ...itself, on: 0 },
  db_manager: { ...itself, on: USING },
  get: one,
  aget: one,
  first: one,
  afirst: one,
  last: one,
  alast: one,
  earliest: one,
  latest: one,
  in_bulk: count,
  count: aggregate,
  acount: aggregate,
  exists: count,
  aexists: count,
  aggregate,
  aaggregate: aggregate,
  create,
  acreate: create,
  get_or_create: getOrCreate,
  aget_or_create: getOrCreate,
  update_or_create: updateOrCreate,
  aupdate_or_create: updateOrCreate,
  bulk_create: bulkCreate,
  abulk_create: bulkCreate,
  bulk_update: bulkUpdate,
  abulk_update: bulkUpdate,
  update,
  aupdate: update,
  delete: remove,
  adelete: remove,
  select_for_update: selectForUpdate,
};

const save: Meaning = {
  write: { verb: 'save', rows: 'one', insertsBy: INSERTS, updatesBy: 'update_fields', tellsOf: OBJECT },
  on: 'using',
};
const deleteOne: Meaning = { write: { verb: 'delete', rows: 'one' }, on: 'using' };
const related: Meaning = { related: { position: 0, keyword: 'to' } };
const alongWith = { argument: { position: 1, keyword: 'on_delete' }, is: 'CASCADE' };
const refers: Meaning = { ...related, goesAlong: alongWith };
/** Views that are given a form, and those that save it. */
const FORMS = 'django.views.generic.edit.FormMixin';
const EDITS = 'django.views.generic.edit.ModelFormMixin';
const VALID: Meaning = { calls: ['form_valid'] };
const ADMIN = 'django.contrib.admin.ModelAdmin';
/** What a project overrides of the admin and calls again: each view is one transaction. */
const view = (label: string): Meaning => ({ scope: nested(label), inside: [{ mayWrite: true }] });
const WRAPPER = 'django.db.backends.base.base.BaseDatabaseWrapper';
const CURSOR = 'django.db.backends.utils.CursorWrapper';
const cursor: Meaning = { returns: CURSOR };

export default framework({
  name: 'django',
  language: 'python',
  packages: ['pypi:django'],
  folders: ['django'],
  needles: [
    'atomic', 'savepoint', 'get_or_create|', 'update_or_create|', 'select_for_update', 'ATOMIC_REQUESTS', 'set_autocommit', 'RunSQL',
    'RunPython', '|post_save|', '|pre_save|', '|post_delete|', '|pre_delete|', '|m2m_changed|', '|cursor(', 'DATABASES', '.raw(', 'AppConfig', 'AUTH_USER_MODEL =',
  ], // biome-ignore format: one list
  apis: {
    'django.db.transaction.atomic': atomic,
    'django.db.transaction.commit_on_success': {
      scope: { opens: 'transaction', whenNested: 'join', label: 'transaction.commit_on_success()' },
      on: USING,
    },
    'django.db.transaction.set_autocommit': { when: [{ argument: 0, is: 'False', then: { flat: 'begin' } }] },
    ...Object.fromEntries(
      Object.entries(savepoints).map(([name, it]) => [`django.db.transaction.${name}`, it]),
    ),
    'django.core.management.call_command': {
      mayWrite: true,
      runsNamed: { of: { position: 0, keyword: 'command_name' }, as: 'management.commands.*.Command.handle' },
      when: [
        {
          argument: 0,
          is: 'loaddata',
          then: {
            mayWrite: undefined,
            scope: { opens: 'transaction', whenNested: 'savepoint', label: 'call_command("loaddata")' },
            inside: [{ mayWrite: true }],
            on: 'database',
          },
        },
      ],
    },
    // The handler takes what it streams behind the transaction of the request.
    ...Object.fromEntries(
      ['django.http', 'django.http.response'].map((module) => [
        `${module}.StreamingHttpResponse`,
        { streams: { position: 0, keyword: 'streaming_content' } },
      ]),
    ),
    // Which class it is, a setting says.
    'django.contrib.auth.get_user_model': { returns: 'class django.contrib.auth.User' },
    'django.apps.apps.get_model': { returns: 'model of 0' },
    // A shop may have its own class of that name; Oscar's stands in for it where it has not.
    'oscar.core.loading.get_model': { returns: 'model of 0' },
    'oscar.core.loading.get_class': { returns: 'labelled' },
    'django.shortcuts.get_object_or_404': { returns: 'item of 0' },
    'django.shortcuts.get_list_or_404': { returns: 'item of 0' },
    'django.db.migrations.RunSQL': { sql: { position: 0, keyword: 'sql' } },
    'django.db.migrations.RunPython': {
      runs: { position: 0, keyword: 'code' },
      when: [{ argument: 'atomic', is: 'True', then: { scope: ATOMIC } }],
    },
    'django.db.connection': { returns: WRAPPER },
    'django.db.connections': { returns: WRAPPER },
    'django.db.router.db_for_write': { alias: 'router.db_for_write' },
    'django.db.transaction.get_connection': { returns: WRAPPER, on: USING },
    'django.db.models.expressions.RawSQL': { piece: { position: 0, keyword: 'sql' } },
    'django.db.models.Func': { when: [{ argument: 'function', then: { routine: 'function' } }] },
    'django.db.models.ForeignKey': refers,
    'django.db.models.OneToOneField': { ...related, goesAlong: { ...alongWith, single: true } },
    'django.db.models.FileField': { returns: FILE },
    'django.db.models.ImageField': { returns: FILE },
    'django.db.models.ManyToManyField': { ...related, returns: MANAGER },
    'django.contrib.contenttypes.fields.GenericRelation': { ...related, returns: MANAGER },
  },
  types: {
    [MODEL]: {
      save,
      asave: save,
      save_base: save,
      delete: deleteOne,
      adelete: deleteOne,
      refresh_from_db: { read: { rows: 'one' } },
      full_clean: { calls: ['clean'] },
      objects: { returns: MANAGER },
      _default_manager: { returns: MANAGER },
      _base_manager: { returns: MANAGER },
    },
    [QUERYSET]: { ...query, as_manager: itself },
    [MANAGER]: {
      ...query,
      add: relates,
      aadd: relates,
      remove: relates,
      aremove: relates,
      clear: relates,
      aclear: relates,
      set: relates,
      aset: relates,
      // Of the users' own managers, which no other model has.
      create_user: create,
      acreate_user: create,
      create_superuser: create,
      acreate_superuser: create,
      from_queryset: itself,
    },
    [FILE]: { save: saves(2), delete: saves(0) },
    [WRAPPER]: { ...savepoints, cursor, in_atomic_block: { tellsOpen: true } },
    [CURSOR]: {
      execute: { sql: { position: 0, keyword: 'sql' }, textOnly: true },
      executemany: { sql: { position: 0, keyword: 'sql' }, textOnly: true, loops: 'items' },
      callproc: { routine: { position: 0, keyword: 'procname' } },
    },
    'django.db.backends.base.schema.BaseDatabaseSchemaEditor': { execute: { sql: 0, textOnly: true } },
    [ADMIN]: {
      ...Object.fromEntries(
        ['changeform_view', 'add_view', 'change_view'].map((name) => [name, view('changeform_view()')]),
      ),
      delete_view: view('delete_view()'),
      save_model: { calls: ['save'], of: 1 },
      delete_model: { calls: ['delete'], of: 1 },
    },
    'django.db.transaction.Atomic': {},
    'django.forms.ModelForm': {},
    [FORMS]: { post: VALID, put: VALID },
    [EDITS]: { post: VALID, put: VALID, form_valid: { calls: ['save'], of: 0 } },
    // The registry of a migration gives classes that nobody wrote.
    'django.apps.registry.Apps': { get_model: {} },
  },
  bases: { [MANAGER]: [QUERYSET], ...Object.fromEntries(OWN_MODELS.map((path) => [path, [MODEL]])) },
  keys: {
    'django.contrib.auth.User': ['username'],
    'django.contrib.auth.models.Group': ['name'],
    'django.contrib.sites.models.Site': ['domain'],
  },
  vendors: ['connection.vendor', 'conn.vendor', '].vendor', '["ENGINE"]', "['ENGINE']"],
  settings: ['django.conf.settings'],
  replaced: { 'django.contrib.auth.User': 'AUTH_USER_MODEL' },
  saves: { 'django.forms.ModelForm': { by: ['save'], row: 'instance' } },
  serves: {
    by: 'form_class',
    below: [FORMS, EDITS],
    of: {
      FormView: { form_valid: '' },
      CreateView: { form_valid: 'save' },
      UpdateView: { form_valid: 'save' },
    },
    otherwise: 'django.forms.ModelForm',
  },
  views: { called: '(View|Mixin)$', by: ['model', 'queryset'], has: ['object', 'get_object'] },
  keepsApart: { non_atomic_requests: { position: 0, keyword: 'using' } },
  registers: {
    decorator: 'django.contrib.admin.register',
    call: 'django.contrib.admin.site.register',
    parameters: { queryset: { path: QUERYSET }, obj: {} },
    does: { save_model: { of: 'obj', method: 'save' }, delete_model: { of: 'obj', method: 'delete' } },
    lists: 'actions',
  },
  within: {
    [ADMIN]: [
      'save_form', 'save_model', 'save_related', 'save_formset', 'delete_model', 'response_add', 'response_change', 'response_delete',
    ], // biome-ignore format: one list
  },
  expressions: Object.fromEntries(
    ['Func', 'Aggregate', 'Transform'].flatMap((name) =>
      ['django.db.models', 'django.db.models.expressions'].map((module) => [`${module}.${name}`, 'function']),
    ),
  ),
  computes: {
    values: 'annotate alias aggregate filter exclude update order_by values values_list',
    one: 'get first last earliest latest exists aget afirst alast aearliest alatest aexists',
  },
  same: {
    'django.contrib.admin.options.ModelAdmin': ADMIN,
    'django.contrib.auth.admin.UserAdmin': ADMIN,
    'django.contrib.auth.models.User': 'django.contrib.auth.User',
    'django.conf.settings.AUTH_USER_MODEL': 'django.contrib.auth.User',
    'django.forms.models.ModelForm': 'django.forms.ModelForm',
    ...Object.fromEntries(
      ['generic', 'generic.edit'].flatMap((module) =>
        [
          ['FormView', FORMS],
          ['CreateView', EDITS],
          ['UpdateView', EDITS],
        ].map(([name, is]) => [`django.views.${module}.${name}`, is]),
      ),
    ),
    'django.db.migrations.state.StateApps': 'django.apps.registry.Apps',
    'django.db.models.query.QuerySet': QUERYSET,
    'django.db.models.manager.Manager': MANAGER,
    'django.db.models.manager.BaseManager': MANAGER,
    'django.contrib.auth.models.UserManager': MANAGER,
    'django.contrib.auth.models.BaseUserManager': MANAGER,
    'django.contrib.auth.base_user.BaseUserManager': MANAGER,
    'django.contrib.gis.db.models.Model': MODEL,
    'django.db.models.base.Model': MODEL,
    'django.contrib.auth.models.AbstractUser': MODEL,
    'django.contrib.auth.models.AbstractBaseUser': MODEL,
    'django.contrib.auth.base_user.AbstractBaseUser': MODEL,
    ...Object.fromEntries(ABSTRACT.map((path) => [path, MODEL])),
    'mptt.models.TreeForeignKey': 'django.db.models.ForeignKey',
    'django.db.models.fields.related.ForeignKey': 'django.db.models.ForeignKey',
    'django.db.transaction.Atomic': 'django.db.transaction.atomic',
    'django.db.transaction.atomic.atomic': 'django.db.transaction.atomic',
    // django-pgtransaction: Django's own with an isolation level.
    'pgtransaction.atomic': 'django.db.transaction.atomic',
    'pgtransaction.transaction.atomic': 'django.db.transaction.atomic',
    'pgtransaction.transaction.Atomic': 'django.db.transaction.atomic',
    'django.db.migrations.operations.RunSQL': 'django.db.migrations.RunSQL',
    'django.db.migrations.operations.RunPython': 'django.db.migrations.RunPython',
    'django.db.migrations.operations.special.RunSQL': 'django.db.migrations.RunSQL',
    'django.db.migrations.operations.special.RunPython': 'django.db.migrations.RunPython',
    'django.db.migrations.migration.Migration': 'django.db.migrations.Migration',
  },
  receivers: {
    connection: WRAPPER,
    conn: WRAPPER,
    cursor: CURSOR,
    cur: CURSOR,
    schema_editor: 'django.db.backends.base.schema.BaseDatabaseSchemaEditor',
    'schema_editor.connection': WRAPPER,
    'request.user': 'django.contrib.auth.User',
  },
  methods: {
    objects: { returns: MANAGER },
    // `Customer.get_or_create()` of a library's model is what the library makes of it.
    get_or_create: { ...getOrCreate, ofObject: true },
    aget_or_create: { ...getOrCreate, ofObject: true },
    update_or_create: { ...updateOrCreate, ofObject: true },
    aupdate_or_create: { ...updateOrCreate, ofObject: true },
    select_for_update: { ...selectForUpdate, ofObject: true },
  },
  tables: { [MODEL]: { attribute: 'Meta.db_table', otherwise: 'app and class' } },
  signals: {
    'django.db.models.signals.m2m_changed': { verbs: ['insert', 'delete'], timing: 'after', related: true },
    ...Object.fromEntries(
      (['pre', 'post'] as const).flatMap((when) => {
        const its = { of: MODEL, object: OBJECT, timing: when === 'pre' ? 'before' : 'after' } as const;
        const saved = { ...its, verbs: ['insert' as const, 'update' as const] };
        return [
          [`django.db.models.signals.${when}_save`, when === 'pre' ? saved : { ...saved, tells: 'created' }],
          [
            `django.db.models.signals.${when}_delete`,
            { ...its, verbs: ['delete' as const], origin: 'origin' },
          ],
        ];
      }),
    ),
  },
  entries: {
    'django.views.View': 'request',
    'django.views.generic.*': 'request',
    [ADMIN]: 'request',
    'django.contrib.admin.register': 'request',
    'django.contrib.admin.action': 'request',
    'django.contrib.admin.decorators.action': 'request',
    'django.views.decorators.*': 'request',
    'django.contrib.auth.decorators.*': 'request',
    'django.contrib.auth.mixins.*': 'request',
    'django.core.management.base.BaseCommand': 'command',
    'django.core.management.BaseCommand': 'command',
    'django.core.management.base.LabelCommand': 'command',
    'django.db.migrations.Migration': 'migration',
    'django.test.*': 'test',
  },
});
