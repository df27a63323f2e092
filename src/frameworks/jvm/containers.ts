// Koin, Kodein and Guice: what is asked of them is of the type that the call names. Spring's and CDI's stand in their own tables.
import { framework, type Meaning } from '../../framework.ts';

const asked: Meaning = { returns: 'of' };

export default framework({
  name: 'containers',
  language: 'jvm',
  packages: [],
  needles: [],
  apis: Object.fromEntries(
    [
      'org.koin.core.component.inject', 'org.koin.core.component.get', 'org.koin.ktor.ext.inject', 'org.koin.ktor.ext.get',
      'org.koin.test.inject', 'org.kodein.di.instance',
    ].map((name) => [name, asked]),
  ), // biome-ignore format: one list
  types: { 'com.google.inject.Injector': { getInstance: { of: 0, returns: 'of' } } },
});
