// django-pgtrigger: the SQL that its migrations make of a trigger. What a model says of it is told by its migration alone.
import { framework, type Part } from '../../framework.ts';

const pgid: Part = { keyword: 'pgid' };
const table: Part = { keyword: 'table', quoted: true };
const ignores: Part = { keyword: 'ignore_func_name', usual: '"public"._pgtrigger_should_ignore' };
const unless = (name: string, usual = ''): Part => ({ keyword: name, usual });

export default framework({
  name: 'pgtrigger',
  language: 'python',
  packages: ['pypi:django-pgtrigger'],
  needles: ['UpsertTriggerSql'],
  apis: {
    'pgtrigger.compiler.UpsertTriggerSql': {
      executes: true,
      text: {
        creates: [
          'CREATE OR REPLACE FUNCTION ', ignores, '(trigger_name NAME) RETURNS BOOLEAN AS $$ DECLARE _pgtrigger_ignore TEXT[]; _result BOOLEAN;',
          " BEGIN BEGIN SELECT INTO _pgtrigger_ignore CURRENT_SETTING('pgtrigger.ignore'); EXCEPTION WHEN OTHERS THEN END;",
          ' IF _pgtrigger_ignore IS NOT NULL THEN SELECT trigger_name = ANY(_pgtrigger_ignore) INTO _result; RETURN _result;',
          ' ELSE RETURN FALSE; END IF; END; $$ LANGUAGE plpgsql; ',
          'CREATE OR REPLACE FUNCTION ', pgid, '() RETURNS TRIGGER AS $$ ', unless('declare'), ' BEGIN IF (', ignores, '(TG_NAME) IS TRUE) THEN',
          " IF (TG_OP = 'DELETE') THEN RETURN OLD; ELSE RETURN NEW; END IF; END IF; ", { keyword: 'func' }, ' END; $$ LANGUAGE plpgsql; ',
          'CREATE ', unless('constraint'), ' TRIGGER ', pgid, ' ',
          { keyword: 'when' }, ' ', { keyword: 'operation' }, ' ON ', table, ' ', unless('timing'), ' ', unless('referencing'),
          ' FOR EACH ', unless('level', 'ROW'), ' ', unless('condition'), ' EXECUTE PROCEDURE ', pgid, '();',
        ],
      },
    },
  },
}); // biome-ignore format: as it is run, without the DROP before it: another migration's trigger of that name takes its place
