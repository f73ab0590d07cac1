/** JSON values, reading, writing, binding to records, JSON Schema generation and validation. */
module dev.fairlead.json {
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires com.networknt.schema;
    requires static transitive org.jspecify;

    exports dev.fairlead.json;
}
