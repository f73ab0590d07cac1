package dev.fairlead.acceptance;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.McpServlet;

import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

import java.net.URI;

/** A server in a servlet container of this process. */
record ServletPlace(Tomcat tomcat) {
    static ServletPlace of(McpServer server) {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir("target/tomcat-" + ProcessHandle.current().pid());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext("/app", null);
        context.setClearReferencesThreadLocals(false); // they would need options of the JVM
        context.setClearReferencesRmiTargets(false);
        McpServlet servlet = new McpServlet(server, Place.withHeartbeat(Http.endpoint()));
        Tomcat.addServlet(context, "mcp", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/proof", "mcp");
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new AssertionError(e);
        }
        return new ServletPlace(tomcat);
    }

    URI uri() {
        return URI.create(
                "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/app/proof");
    }

    void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new AssertionError(e);
        }
    }
}
