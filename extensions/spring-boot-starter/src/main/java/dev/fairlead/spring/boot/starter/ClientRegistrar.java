package dev.fairlead.spring.boot.starter;

import dev.fairlead.client.McpClient;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a client as a bean for each server of the configuration: {@code NAMEMcpClient}, with
 * the name of the server as its qualifier.
 */
final class ClientRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;
    private final BeanFactory beans;

    ClientRegistrar(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public void registerBeanDefinitions(
            AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        // not at fairlead itself, which may be a variable of the environment that is none of these
        Binder.get(environment)
                .bind(
                        "fairlead.clients",
                        Bindable.mapOf(String.class, McpClientProperties.Server.class))
                .ifBound(
                        clients ->
                                clients.forEach(
                                        (name, server) ->
                                                register(
                                                        registry,
                                                        new ClientConnection(
                                                                name, server, beans))));
    }

    private static void register(BeanDefinitionRegistry registry, ClientConnection connection) {
        AbstractBeanDefinition client =
                BeanDefinitionBuilder.genericBeanDefinition(McpClient.class, connection::open)
                        .setDestroyMethodName("close")
                        .getBeanDefinition();
        client.addQualifier(new AutowireCandidateQualifier(Qualifier.class, connection.name()));
        registry.registerBeanDefinition(connection.name() + "McpClient", client);
    }
}
