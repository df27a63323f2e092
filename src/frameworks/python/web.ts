// Who starts what: web frameworks, job queues and test runners of Python. They open nothing.
import { framework, type Meaning } from '../../framework.ts';

const GENERIC = 'rest_framework.generics.GenericAPIView';
/** Methods of a view, and those that they call, each of which a project's own class may have in its place. */
const HOOKS = {
  create: ['perform_create'], update: ['perform_update'], destroy: ['perform_destroy'], partial_update: ['update', 'perform_update'],
  post: ['create', 'perform_create'], put: ['update', 'perform_update'], patch: ['partial_update', 'update', 'perform_update'],
  delete: ['destroy', 'perform_destroy'],
}; // biome-ignore format: a table
const VIEWS = [
  ...['Create', 'Update', 'Destroy'].map((does) => `mixins.${does}ModelMixin`),
  ...['Create', 'Update', 'Destroy', 'ListCreate', 'RetrieveUpdate', 'RetrieveDestroy', 'RetrieveUpdateDestroy'].map((does) => `generics.${does}APIView`),
  'viewsets.GenericViewSet', 'viewsets.ModelViewSet',
]; // biome-ignore format: one list
const SAVES: Meaning = { calls: ['save'], of: 0 };
const CREATES = { perform_create: 'create' };
const UPDATES = { perform_update: 'update' };
/** A test that stops, and a request that is answered with an error. */
const STOPS = [
  ...['flask', 'quart', 'bottle', 'werkzeug.exceptions'].map((of) => `${of}.abort`),
  ...['fail', 'skip', 'xfail', 'exit'].map((name) => `pytest.${name}`),
]; // biome-ignore format: one list

export default framework({
  name: 'web',
  language: 'python',
  packages: [
    'pypi:djangorestframework',
    'pypi:celery',
    'pypi:huey',
    'pypi:fastapi',
    'pypi:flask',
    'pypi:pytest',
  ],
  folders: ['celery', 'flask'],
  needles: [],
  apis: Object.fromEntries(STOPS.map((name): [string, Meaning] => [name, { raises: 'HTTPException' }])),
  inTests: ['CELERY_TASK_ALWAYS_EAGER', 'CELERY_ALWAYS_EAGER', 'task_always_eager'],
  types: {
    'rest_framework.serializers.BaseSerializer': { save: { calls: ['create', 'update'] } },
    [GENERIC]: {
      get_serializer: { returns: 'made by serializer_class' },
      perform_create: SAVES,
      perform_update: SAVES,
      ...Object.fromEntries(
        Object.entries(HOOKS).map(([name, calls]): [string, Meaning] => [name, { calls }]),
      ),
    },
    'huey.Huey': {},
    'celery.Task': {
      delay: { elsewhere: true, returns: 'celery.result.AsyncResult' },
      apply_async: { elsewhere: true, returns: 'celery.result.AsyncResult' },
      // Here and now.
      apply: { calls: ['run'] },
    },
  },
  extended: ['rest_framework.serializers.BaseSerializer', GENERIC, 'huey.Huey', 'celery.Task'],
  saves: { 'rest_framework.serializers.BaseSerializer': { by: ['create', 'update'], row: 'instance' } },
  serves: {
    by: 'serializer_class',
    below: [GENERIC],
    of: {
      CreateModelMixin: CREATES,
      CreateAPIView: CREATES,
      ListCreateAPIView: CREATES,
      UpdateModelMixin: UPDATES,
      UpdateAPIView: UPDATES,
      RetrieveUpdateAPIView: UPDATES,
      RetrieveUpdateDestroyAPIView: UPDATES,
      ModelViewSet: { ...CREATES, ...UPDATES },
    },
  },
  views: { called: '(View|ViewSet|Mixin)$', by: ['queryset'], has: ['get_object'] },
  lists: {
    'rest_framework.serializers.BaseSerializer': {
      argument: 'many',
      is: 'True',
      by: 'list_serializer_class',
      methods: { save: { loops: 'items', inside: [{ calls: ['create'] }] } },
      each: 'child',
      fields: 'fields',
      maker: 'get_serializer',
    },
  },
  same: {
    'huey.RedisHuey': 'huey.Huey',
    'huey.PriorityRedisHuey': 'huey.Huey',
    'huey.RedisExpireHuey': 'huey.Huey',
    'huey.PriorityRedisExpireHuey': 'huey.Huey',
    ...Object.fromEntries(VIEWS.map((path) => [`rest_framework.${path}`, GENERIC])),
    'rest_framework.serializers.Serializer': 'rest_framework.serializers.BaseSerializer',
    'rest_framework.serializers.ModelSerializer': 'rest_framework.serializers.BaseSerializer',
    'rest_framework.serializers.HyperlinkedModelSerializer': 'rest_framework.serializers.BaseSerializer',
    'rest_framework.serializers.ListSerializer': 'rest_framework.serializers.BaseSerializer',
  },
  queues: {
    'huey.contrib.djhuey.task': 'call_local',
    'huey.contrib.djhuey.db_task': 'call_local',
    'huey.contrib.djhuey.on_commit_task': 'call_local',
    'huey.contrib.djhuey.periodic_task': 'call_local',
    'huey.contrib.djhuey.db_periodic_task': 'call_local',
    'huey.Huey.task': 'call_local',
    'huey.Huey.periodic_task': 'call_local',
    'background_task.background': 'now',
  },
  providers: ['fastapi.Depends', 'fastapi.param_functions.Depends', 'fastapi.params.Depends'],
  entries: {
    'rest_framework.decorators.api_view': 'request',
    'rest_framework.decorators.action': 'request',
    'rest_framework.views.*': 'request',
    'rest_framework.viewsets.*': 'request',
    'rest_framework.generics.*': 'request',
    'rest_framework.mixins.*': 'request',
    'ninja.*': 'request',
    'graphene.Mutation': 'request',
    'pyramid.view.view_config': 'request',
    'celery.shared_task': 'job',
    'celery.task': 'job',
    'celery.decorators.task': 'job',
    'celery.Task': 'job',
    'celery.app.task.Task': 'job',
    'dramatiq.actor': 'job',
    'huey.contrib.djhuey.*': 'job',
    'huey.Huey.*': 'job',
    'background_task.background': 'job',
    'django_rq.job': 'job',
    'rq.decorators.job': 'job',
    'procrastinate.*': 'job',
    'click.command': 'command',
    'typer.*': 'command',
    'unittest.TestCase': 'test',
    'unittest.IsolatedAsyncioTestCase': 'test',
    'rest_framework.test.*': 'test',
    'pytest.fixture': 'test',
    'pytest.mark.*': 'test',
  },
});
