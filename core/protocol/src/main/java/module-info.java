/** The records of the Model Context Protocol, its revisions, and the connection engine. */
module dev.fairlead.protocol {
    requires transitive dev.fairlead.jsonrpc;
    requires static transitive org.jspecify;

    exports dev.fairlead.protocol;
    exports dev.fairlead.protocol.base;
    exports dev.fairlead.protocol.caching;
    exports dev.fairlead.protocol.changes;
    exports dev.fairlead.protocol.completion;
    exports dev.fairlead.protocol.content;
    exports dev.fairlead.protocol.elicitation;
    exports dev.fairlead.protocol.lifecycle;
    exports dev.fairlead.protocol.logging;
    exports dev.fairlead.protocol.mrtr;
    exports dev.fairlead.protocol.prompts;
    exports dev.fairlead.protocol.resources;
    exports dev.fairlead.protocol.roots;
    exports dev.fairlead.protocol.sampling;
    exports dev.fairlead.protocol.subscriptions;
    exports dev.fairlead.protocol.tasks;
    exports dev.fairlead.protocol.tools;
    exports dev.fairlead.protocol.versioning;
    exports dev.fairlead.protocol.pipe;
    exports dev.fairlead.protocol.engine to
            dev.fairlead.console,
            dev.fairlead.jdbc,
            dev.fairlead.peer,
            dev.fairlead.tasks,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.stdio,
            dev.fairlead.http,
            dev.fairlead.http.loop,
            dev.fairlead.testing;
    exports dev.fairlead.protocol.face to
            dev.fairlead.peer,
            dev.fairlead.tasks,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.gateway,
            dev.fairlead.testing;
    exports dev.fairlead.protocol.headers to
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.gateway,
            dev.fairlead.http;
    exports dev.fairlead.protocol.limits to
            dev.fairlead.console,
            dev.fairlead.gateway,
            dev.fairlead.tasks,
            dev.fairlead.server,
            dev.fairlead.stdio,
            dev.fairlead.http,
            dev.fairlead.http.loop,
            dev.fairlead.auth;
    exports dev.fairlead.protocol.options to
            dev.fairlead.tasks,
            dev.fairlead.jdbc,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.stdio,
            dev.fairlead.http,
            dev.fairlead.auth,
            dev.fairlead.gateway;
    exports dev.fairlead.protocol.platform to
            dev.fairlead.console,
            dev.fairlead.tasks,
            dev.fairlead.jdbc,
            dev.fairlead.http,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.auth;
    exports dev.fairlead.protocol.relay to
            dev.fairlead.tasks,
            dev.fairlead.server,
            dev.fairlead.http,
            dev.fairlead.http.loop,
            dev.fairlead.opentelemetry;
    exports dev.fairlead.protocol.time to
            dev.fairlead.peer,
            dev.fairlead.tasks,
            dev.fairlead.jdbc,
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.stdio,
            dev.fairlead.http,
            dev.fairlead.http.jetty,
            dev.fairlead.http.legacy,
            dev.fairlead.servlet,
            dev.fairlead.http.loop,
            dev.fairlead.auth,
            dev.fairlead.gateway,
            dev.fairlead.console,
            dev.fairlead.spring.boot.starter,
            dev.fairlead.testing;
    exports dev.fairlead.protocol.uri to
            dev.fairlead.server,
            dev.fairlead.client,
            dev.fairlead.processor;

    uses dev.fairlead.protocol.engine.WireTap;

    // Records that are not public are bound there.
    opens dev.fairlead.protocol to
            dev.fairlead.json;
    opens dev.fairlead.protocol.base to
            dev.fairlead.json;
    opens dev.fairlead.protocol.completion to
            dev.fairlead.json;
    opens dev.fairlead.protocol.content to
            dev.fairlead.json;
    opens dev.fairlead.protocol.elicitation to
            dev.fairlead.json;
    opens dev.fairlead.protocol.lifecycle to
            dev.fairlead.json;
    opens dev.fairlead.protocol.logging to
            dev.fairlead.json;
    opens dev.fairlead.protocol.prompts to
            dev.fairlead.json;
    opens dev.fairlead.protocol.resources to
            dev.fairlead.json;
    opens dev.fairlead.protocol.roots to
            dev.fairlead.json;
    opens dev.fairlead.protocol.sampling to
            dev.fairlead.json;
    opens dev.fairlead.protocol.subscriptions to
            dev.fairlead.json;
    opens dev.fairlead.protocol.tasks to
            dev.fairlead.json;
    opens dev.fairlead.protocol.tools to
            dev.fairlead.json;
    opens dev.fairlead.protocol.mrtr to
            dev.fairlead.json;
    opens dev.fairlead.protocol.versioning to
            dev.fairlead.json;
    opens dev.fairlead.protocol.engine to
            dev.fairlead.json;
}
