package dev.fairlead.servlet;

import jakarta.servlet.http.HttpServlet;

import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

import java.time.Duration;
import java.util.Map;

/** A servlet container in this process, on a free port of the loopback interface. */
enum Container {
    TOMCAT {
        @Override
        Running start(Application application) throws Exception {
            return new RunningTomcat(application);
        }
    },
    JETTY {
        @Override
        Running start(Application application) throws Exception {
            return new RunningJetty(application);
        }
    };

    /**
     * The application that runs in the container.
     *
     * @param context the path of the application; empty for the root
     * @param servlets by their URL patterns
     * @param async whether they are declared so
     * @param writeLimit how long the container lets a write make no progress
     */
    record Application(
            String context,
            Map<String, ? extends HttpServlet> servlets,
            boolean async,
            Duration writeLimit) {
        static Application of(String context, Map<String, ? extends HttpServlet> servlets) {
            return new Application(context, servlets, true, Duration.ofMinutes(2));
        }

        Application notAsync() {
            return new Application(context, servlets, false, writeLimit);
        }

        Application writeLimit(Duration limit) {
            return new Application(context, servlets, async, limit);
        }
    }

    /** A container at work. */
    interface Running extends AutoCloseable {
        int port();

        /** Ends the application, as when it is deployed anew, while the container goes on. */
        void undeploy() throws Exception;

        /**
         * Returns whether it waits for requests by itself just now, before it destroys their
         * servlet.
         */
        boolean isWaitingForRequests();
    }

    abstract Running start(Application application) throws Exception;

    private static final class RunningTomcat implements Running {
        private final Tomcat tomcat = new Tomcat();
        private final StandardContext context;

        RunningTomcat(Application application) throws LifecycleException {
            tomcat.setBaseDir("target/tomcat");
            Connector connector = new Connector();
            connector.setPort(0);
            connector.setProperty("address", "127.0.0.1");
            connector.setProperty(
                    "connectionTimeout", Long.toString(application.writeLimit().toMillis()));
            tomcat.setConnector(connector);
            context = (StandardContext) tomcat.addContext(application.context(), null);
            context.setClearReferencesThreadLocals(false); // they would need options of the JVM
            context.setClearReferencesRmiTargets(false);
            application
                    .servlets()
                    .forEach(
                            (mapping, servlet) -> {
                                Wrapper wrapper = Tomcat.addServlet(context, mapping, servlet);
                                wrapper.setAsyncSupported(application.async());
                                context.addServletMappingDecoded(mapping, mapping);
                            });
            tomcat.start();
        }

        @Override
        public int port() {
            return tomcat.getConnector().getLocalPort();
        }

        @Override
        public void undeploy() throws LifecycleException {
            context.setUnloadDelay(
                    Duration.ofMinutes(1).toMillis()); // the remaining requests are cut then
            context.stop();
        }

        @Override
        public boolean isWaitingForRequests() {
            return context.getState() == LifecycleState.STOPPING_PREP;
        }

        @Override
        public void close() throws LifecycleException {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static final class RunningJetty implements Running {
        private final Server server = new Server();
        private final ServerConnector connector = new ServerConnector(server);
        private final ServletContextHandler context;

        RunningJetty(Application application) throws Exception {
            connector.setHost("127.0.0.1");
            connector.setIdleTimeout(application.writeLimit().toMillis());
            server.addConnector(connector);
            String path = application.context().isEmpty() ? "/" : application.context();
            context = new ServletContextHandler(path);
            application
                    .servlets()
                    .forEach(
                            (mapping, servlet) -> {
                                ServletHolder holder = new ServletHolder(mapping, servlet);
                                holder.setAsyncSupported(application.async());
                                context.addServlet(holder, mapping);
                            });
            server.setHandler(context);
            server.start();
        }

        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public void undeploy() throws Exception {
            context.stop();
        }

        @Override
        public boolean isWaitingForRequests() {
            return false;
        }

        @Override
        public void close() throws Exception {
            server.stop();
        }
    }
}
