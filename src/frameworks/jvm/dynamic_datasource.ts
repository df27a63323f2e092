// baomidou's dynamic-datasource: its own @DSTransactional, over all data sources at once.
import { framework, type Meaning } from '../../framework.ts';

const none: Meaning = { scope: undefined };

export default framework({
  name: 'dynamic-datasource',
  language: 'jvm',
  packages: ['maven:com.baomidou:dynamic-datasource-spring'],
  needles: ['DSTransactional'],
  apis: {
    'com.baomidou.dynamic.datasource.annotation.DSTransactional': {
      proxied: true,
      scope: { opens: 'transaction', whenNested: 'join' },
      when: [
        // It asks a savepoint for its name after the release, where pgjdbc throws.
        {
          argument: 'propagation',
          is: 'NESTED',
          then: { scope: { opens: 'transaction', whenNested: 'refuse' } },
        },
        {
          argument: 'propagation',
          is: 'REQUIRES_NEW',
          then: { scope: { opens: 'transaction', whenNested: 'separate' } },
        },
        ...['NEVER', 'NOT_SUPPORTED', 'SUPPORTS', 'MANDATORY'].map((is) => ({
          argument: 'propagation',
          is,
          then: none,
        })),
      ],
    },
  },
});
