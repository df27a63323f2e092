// PostgreSQL's own functions, aggregates and types as data, so that a call of one is not looked for in the repository.

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Most files call few functions, and small ones none: the long lists become sets when one is asked. */
function asked(text: string): Pick<Set<string>, 'has'> {
  let set: Set<string> | undefined;
  return {
    has(name) {
      set ??= words(text);
      return set.has(name);
    },
  };
}

/** pg_catalog's functions that SQL calls by name, versions 15 to 18, without `pg_…` and the operators' own functions. */
const FUNCTIONS = asked(`
  abbrev abs aclcontains acldefault aclexplode aclinsert aclremove acos acosd acosh age amvalidate area
  array_append array_cat array_dims array_fill array_larger array_length array_lower array_ndims
  array_position array_positions array_prepend array_remove array_replace array_reverse array_sample
  array_shuffle array_smaller array_sort array_to_json array_to_string array_to_tsvector array_upper
  arraycontained arraycontains arrayoverlap ascii asin asind asinh atan atan2 atan2d atand atanh bit
  bit_count bit_length bitand bitcat bitnot bitor bitshiftleft bitshiftright bitxor bool box bpchar btrim
  cardinality casefold cbrt ceil ceiling char char_length character_length chr cidr circle clock_timestamp
  col_description concat concat_ws convert convert_from convert_to cos cosd cosh cot cotd crc32 crc32c
  cume_dist current_database current_query current_schema current_schemas current_setting current_user
  currval cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema
  database_to_xmlschema date date_add date_bin date_larger date_mi date_mi_interval date_mii date_part
  date_pl_interval date_pli date_smaller date_subtract date_trunc datemultirange daterange datetime_pl
  datetimetz_pl decode degrees dense_rank diagonal diameter div encode enum_first enum_last enum_range erf
  erfc error_on_null exp extract factorial family first_value float4 float8 float8_accum floor format
  format_type gamma gcd gen_random_uuid generate_series generate_subscripts get_bit get_byte
  get_current_ts_config getdatabaseencoding has_any_column_privilege has_column_privilege
  has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege
  has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege
  has_table_privilege has_tablespace_privilege has_type_privilege hash_array
  hash_array_extended hash_numeric hash_numeric_extended hash_record hash_record_extended hashint4
  hashint4extended hashint8 hashint8extended hashtext hashtextextended height host hostmask icu_unicode_version in_range inet_client_addr inet_client_port
  inet_merge inet_same_family inet_server_addr inet_server_port inetand inetmi inetmi_int8 inetnot inetor
  inetpl initcap int2 int4 int4larger int4multirange int4range int4smaller int8 int8multirange int8range
  integer_pl_date interval interval_div interval_larger interval_mul interval_smaller interval_um
  is_normalized isclosed isempty isfinite ishorizontal isopen isparallel isperp isvertical json_array
  json_array_element json_array_element_text json_array_elements json_array_elements_text json_array_length
  json_build_array json_build_object json_each json_each_text json_exists json_extract_path
  json_extract_path_text json_object json_object_field json_object_field_text json_object_keys
  json_populate_record json_populate_recordset json_query json_scalar json_serialize json_strip_nulls
  json_table json_to_record json_to_recordset json_to_tsvector json_typeof json_value jsonb_array_element
  jsonb_array_element_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_concat jsonb_contains jsonb_each jsonb_each_text jsonb_exists
  jsonb_extract_path jsonb_extract_path_text jsonb_hash jsonb_hash_extended jsonb_insert jsonb_object jsonb_object_field
  jsonb_object_field_text jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
  jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
  jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record
  jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record
  jsonb_to_recordset jsonb_to_tsvector jsonb_typeof justify_days justify_hours justify_interval lag
  last_value lastval lcm lead left length lgamma like like_escape line ln lo_close lo_creat lo_create
  lo_export lo_from_bytea lo_get lo_import lo_lseek lo_lseek64 lo_open lo_put lo_tell lo_tell64 lo_truncate
  lo_truncate64 lo_unlink log log10 loread lower lower_inc lower_inf lowrite lpad lseg ltrim macaddr
  macaddr8 macaddr8_set7bit make_date make_interval make_time make_timestamp make_timestamptz makeaclitem
  masklen md5 merge_action min_scale mod money multirange mxid_age name netmask network nextval normalize
  notlike now npoints nth_value ntile num_nonnulls num_nulls numeric numeric_exp numeric_inc numeric_ln
  numeric_log numeric_sqrt nummultirange numnode numrange obj_description octet_length oid oidvectortypes
  overlaps overlay parse_ident path pclose percent_rank phraseto_tsquery pi plainto_tsquery point polygon
  popen position pow power pt_contained_circle pt_contained_poly query_to_xml query_to_xml_and_xmlschema
  query_to_xmlschema querytree quote_ident quote_literal quote_nullable radians radius random random_normal
  range_merge rank record_in regclass regexp_count regexp_instr regexp_like regexp_match regexp_matches
  regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right
  round row_number row_security_active row_to_json rpad rtrim satisfies_hash_partition scale schema_to_xml
  schema_to_xml_and_xmlschema schema_to_xmlschema session_user set_bit set_byte set_config set_masklen
  setseed setval setweight sha224 sha256 sha384 sha512 shobj_description sign similar_escape
  similar_to_escape sin sind sinh slope split_part sqrt starts_with statement_timestamp string_to_array
  string_to_table strip strpos substr substring suppress_redundant_updates_trigger system_user table_to_xml
  table_to_xml_and_xmlschema table_to_xmlschema tan tand tanh text textcat textlen time time_larger
  time_smaller timedate_pl timeofday timestamp timestamp_larger timestamp_smaller timestamptz timetz
  timetz_larger timetz_smaller timetzdate_pl timezone to_ascii to_bin to_char to_date to_hex to_json
  to_jsonb to_number to_oct to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc
  to_regprocedure to_regrole to_regtype to_timestamp to_tsquery to_tsvector transaction_timestamp translate
  trim_array trim_scale trunc ts_debug ts_delete ts_filter ts_headline ts_lexize ts_parse ts_rank ts_rank_cd
  ts_rewrite ts_stat ts_token_type tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange
  tsvector_concat tsvector_to_array tsvector_update_trigger tsvector_update_trigger_column txid_current
  txid_current_if_assigned txid_current_snapshot txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin
  txid_status txid_visible_in_snapshot unicode_assigned unicode_version unistr unnest upper upper_inc
  upper_inf uuid_extract_timestamp uuid_hash uuid_hash_extended uuid_extract_version uuidv4 uuidv7 varbit varchar version
  websearch_to_tsquery width width_bucket xid xml xml_is_well_formed xml_is_well_formed_content
  xml_is_well_formed_document xmlcomment xmlexists xmltext xpath xpath_exists
`);

/** Written like a call, but syntax or a type. */
const SYNTAX = asked(`
  bigint bigserial boolean bytea cast character coalesce collation current_catalog current_date current_role
  current_schema current_time current_timestamp current_user dec decimal double float greatest grouping int
  integer json jsonb least localtime localtimestamp national nchar nullif precision real second serial session_user
  smallint smallserial treat trim tsquery tsvector user uuid varying xmlattributes xmlnamespaces xmlconcat xmlelement
  xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable
`);

/** Of the extensions that come with PostgreSQL: they neither write nor call back. */
const CONTRIB = asked(`
  akeys armor autoinc avals bt_index_check bt_index_parent_check bt_metap bt_page_items
  bt_page_stats connectby crosstab crosstab2 crosstab3 crosstab4 crypt cube dearmor difference
  digest dmetaphone dmetaphone_alt each earth_box earth_distance gen_random_bytes gen_salt
  get_raw_page gin_index_check heap_page_items hmac hstore hstore_to_array hstore_to_json
  hstore_to_json_loose hstore_to_jsonb hstore_to_jsonb_loose hstore_to_matrix insert_username
  isn_weak lca levenshtein levenshtein_less_equal ll_to_earth ltree2text metaphone moddatetime
  nlevel normal_rand pgp_armor_headers pgp_key_id pgp_pub_decrypt pgp_pub_decrypt_bytea
  pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_decrypt pgp_sym_decrypt_bytea pgp_sym_encrypt
  pgp_sym_encrypt_bytea pgrowlocks pgstatginindex pgstathashindex pgstatindex pgstattuple
  pgstattuple_approx postgis_version set_limit show_limit show_trgm similarity skeys soundex
  strict_word_similarity subltree subpath svals tconvert text2ltree unaccent uuid_generate_v1
  uuid_generate_v1mc uuid_generate_v3 uuid_generate_v4 uuid_generate_v5 uuid_nil uuid_ns_dns
  uuid_ns_oid uuid_ns_url uuid_ns_x500 verify_heapam word_similarity xml_valid
`);

/** What every database of Supabase has: they read the request's settings, or take a path apart. */
const SUPABASE = asked(`
  auth.email auth.jwt auth.role auth.uid storage.extension storage.filename storage.foldername
`);

/** Schemas that extensions are put in. */
export const OF_EXTENSIONS = /^(?:public|extensions?|ext|contrib|postgis)$/;

/** One value out of many rows: what stands around such a call runs once for each group. */
export const AGGREGATES = words(`
  any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every
  json_agg json_agg_strict json_arrayagg json_object_agg json_object_agg_unique json_objectagg jsonb_agg
  jsonb_agg_strict jsonb_object_agg jsonb_object_agg_unique max min mode percentile_cont percentile_disc
  range_agg range_intersect_agg regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
  regr_sxy regr_syy stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance xmlagg
`);

/** Functions that give several rows wherever they stand. */
export const ROW_SETS = words(`
  generate_series generate_subscripts json_array_elements json_array_elements_text json_each json_each_text
  json_object_keys json_populate_recordset json_to_recordset jsonb_array_elements jsonb_array_elements_text
  jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query jsonb_populate_recordset jsonb_to_recordset
  regexp_matches regexp_split_to_table string_to_table unnest aclexplode ts_stat json_table xmltable skeys svals each
  crosstab crosstab2 crosstab3 crosstab4 connectby normal_rand pgp_armor_headers
  bt_page_items heap_page_items pgrowlocks verify_heapam
  st_dump st_dumpaspolygons st_dumppoints st_dumprings st_dumpsegments st_dumpvalues st_hexagongrid st_pixelascentroids
  st_pixelaspoints st_pixelaspolygons st_squaregrid st_subdivide st_tile st_valuecount
  jsonb_path_query_tz pg_available_extension_versions pg_available_extensions pg_available_wal_summaries pg_config
  pg_cursor pg_event_trigger_ddl_commands pg_event_trigger_dropped_objects pg_extension_update_paths pg_get_aios
  pg_get_backend_memory_contexts pg_get_catalog_foreign_keys pg_get_keywords pg_get_loaded_modules pg_get_multixact_members
  pg_get_publication_tables pg_get_replication_slots pg_get_shmem_allocations pg_get_shmem_allocations_numa
  pg_get_wait_events pg_get_wal_resource_managers pg_hba_file_rules pg_ident_file_mappings pg_listening_channels
  pg_lock_status pg_logical_slot_get_binary_changes pg_logical_slot_get_changes pg_logical_slot_peek_binary_changes
  pg_logical_slot_peek_changes pg_ls_archive_statusdir pg_ls_dir pg_ls_logdir pg_ls_logicalmapdir
  pg_ls_logicalsnapdir pg_ls_replslotdir pg_ls_summariesdir pg_ls_tmpdir pg_ls_waldir pg_mcv_list_items
  pg_options_to_table pg_partition_ancestors pg_partition_tree pg_prepared_statement pg_prepared_xact
  pg_show_all_file_settings pg_show_all_settings pg_show_replication_origin_status pg_snapshot_xip
  pg_stat_get_activity pg_stat_get_backend_idset pg_stat_get_backend_io pg_stat_get_io pg_stat_get_progress_info
  pg_stat_get_recovery_prefetch pg_stat_get_slru pg_stat_get_subscription pg_stat_get_wal_senders
  pg_tablespace_databases pg_timezone_abbrevs pg_timezone_abbrevs_abbrevs pg_timezone_abbrevs_zone pg_timezone_names
  pg_wal_summary_contents ts_debug ts_parse ts_token_type txid_snapshot_xip
`);

/** The functions behind `=`, `<` and their kin: `array_eq`, `int4lt`, `texteq`. */
const COMPARES =
  /^(?:array_|bit|bool|bpchar|bytea|char|date_?|enum_|float48?|float84?|int[248]{1,2}|interval_|jsonb_|name|numeric_|oid|range_|record_|text_?|tid|timestamp_|timestamptz_|uuid_|varbit)(?:eq|ne|lt|le|gt|ge)$/;

/** `pg_temp.f()` is the session's own; every other `pg_…` name is the server's. */
export function isBuiltin(name: string): boolean {
  return (
    FUNCTIONS.has(name) ||
    name.startsWith('pg_') ||
    SYNTAX.has(name) ||
    AGGREGATES.has(name) ||
    CONTRIB.has(name) ||
    name.startsWith('st_') ||
    COMPARES.test(name)
  );
}

/** Of these citext has some of its own, which a dump writes with their schema. */
const CITEXT =
  /^(?:max|min|replace|split_part|strpos|translate|regexp_(?:match(?:es)?|replace|split_to_(?:array|table)))$/;

/** A function with its schema that writes nothing, unless the repository defines one by that name. */
export function isHarmless([schema, name, ...more]: string[]): boolean {
  if (schema === undefined || name === undefined || more.length > 0) return false;
  const extension =
    CONTRIB.has(name) || CITEXT.test(name) || name.startsWith('st_') || name === 'gen_random_uuid';
  return (extension && OF_EXTENSIONS.test(schema)) || SUPABASE.has(`${schema}.${name}`);
}

export const isAggregate = (name: string) => AGGREGATES.has(name);
export const givesRows = (name: string) => ROW_SETS.has(name);
