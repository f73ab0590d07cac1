package dev.fairlead.spring.boot.starter;

import dev.fairlead.client.McpClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;

/** Connects a client to each server of {@code fairlead.clients}. */
@AutoConfiguration
@ConditionalOnClass(McpClient.class)
@Import(ClientRegistrar.class)
public final class McpClientAutoConfiguration {}
