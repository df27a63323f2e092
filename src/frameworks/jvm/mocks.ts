// Mockito, MockK and EasyMock: objects that tests make, on which nothing happens whatever their type says.
import { framework } from '../../framework.ts';

const MOCK = 'org.mockito.Mock';
const PATH = 'org.mockito.Mockito';
const BDD = 'org.mockito.BDDMockito';
const STUBBER = 'org.mockito.stubbing.Stubber';
const made = { returns: MOCK };
const stubs = { returns: STUBBER };
const of = (path: string, names: string, meaning: { returns: string }) =>
  Object.fromEntries(names.split(' ').map((name) => [`${path}.${name}`, meaning]));

export default framework({
  name: 'mocks',
  language: 'jvm',
  packages: [],
  needles: [],
  apis: {
    ...of(PATH, 'mock verify', made),
    ...of(BDD, 'mock verify', made),
    ...of(PATH, 'doReturn doThrow doAnswer doNothing lenient', stubs),
    ...of(BDD, 'willReturn willThrow willAnswer willDoNothing then', stubs),
    'io.mockk.mockk': made,
    ...of('org.easymock.EasyMock', 'mock createMock createNiceMock createStrictMock', made),
  },
  types: {
    [STUBBER]: { when: made, given: made, should: made, doReturn: stubs, doThrow: stubs, doNothing: stubs },
    'org.mockito.InOrder': { verify: made },
  },
  mocks: {
    is: MOCK,
    annotations: [
      MOCK,
      'org.springframework.boot.test.mock.mockito.MockBean',
      'org.springframework.test.context.bean.override.mockito.MockitoBean',
      'io.quarkus.test.InjectMock',
      'io.quarkus.test.junit.mockito.InjectMock',
      'io.mockk.impl.annotations.MockK',
      'io.mockk.impl.annotations.RelaxedMockK',
      'com.ninjasquad.springmockk.MockkBean',
      'org.easymock.Mock',
    ],
  },
});
