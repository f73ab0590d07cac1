/** Traces and metrics of MCP by the conventions of OpenTelemetry. */
module dev.fairlead.opentelemetry {
    requires transitive dev.fairlead.protocol;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires static transitive dev.fairlead.http;
    requires static transitive org.jspecify;

    exports dev.fairlead.opentelemetry;
}
