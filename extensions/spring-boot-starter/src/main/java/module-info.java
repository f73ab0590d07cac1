/** Auto-configuration for Spring Boot. */
module dev.fairlead.spring.boot.starter {
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.server;
    requires transitive dev.fairlead.servlet;
    requires dev.fairlead.http.legacy;
    requires dev.fairlead.stdio;
    requires org.slf4j;
    requires spring.aop;
    requires spring.beans;
    requires spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.context;
    requires spring.core;
    requires static dev.fairlead.auth;
    requires static dev.fairlead.console;
    requires static micrometer.core;
    requires static jakarta.servlet;
    requires static spring.boot.health;
    requires static spring.security.core;
    requires static spring.web;
    requires static transitive org.jspecify;

    exports dev.fairlead.spring.boot.starter;

    opens dev.fairlead.spring.boot.starter;
}
