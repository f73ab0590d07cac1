/** JSON values, reading, writing, binding to records, JSON Schema generation and validation. */
module dev.fairlead.json {
    requires tools.jackson.databind;
    requires com.networknt.schema;
    requires transitive org.jspecify; // at run time too: @Nullable says which members may be absent

    exports dev.fairlead.json;
    exports dev.fairlead.json.slf4j to
            dev.fairlead.jdbc;
}
