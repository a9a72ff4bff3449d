//! The protocol's side: requests of a client to calls of [`Tools`].

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};

use super::said::{quoted, refused};
use super::tools::{self, Tools};

/// The media type of every resource.
const MARKDOWN: &str = "text/markdown";
/// What a client may tell its model about this server.
const INSTRUCTIONS: &str = "One site, read-only, as Markdown. `search` finds sections by words, `grep` lines by a pattern, `list` names the pages, `read` gives one or a part of it, `changes` says what is new since an edition. Results are bounded; a note says how to get the rest.";

/// A server of the protocol over one site.
#[derive(Clone)]
pub struct Server {
    tools: Arc<Tools>,
}

impl Server {
    /// A server with these tools.
    pub fn new(tools: Tools) -> Self {
        Self {
            tools: Arc::new(tools),
        }
    }

    /// Runs work that waits for the network or takes long where no other request waits for it.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Tools) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let tools = Arc::clone(&self.tools);
        let done = tokio::task::spawn_blocking(move || work(&tools)).await;
        done.map_err(|_| ErrorData::internal_error("the tool failed: this is a bug", None))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("diglot", env!("CARGO_PKG_VERSION")).with_title("Diglot"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::all().into_iter().map(|tool| {
            let schema = tool.schema.as_object().cloned().unwrap_or_default();
            let read_only = ToolAnnotations::new()
                .read_only(true)
                .idempotent(true)
                .open_world(false);
            Tool::new(tool.name, tool.description, schema)
                .with_title(tool.title)
                .with_annotations(read_only)
        });
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !tools::all().iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(
                tools::unknown(&request.name),
                None,
            ));
        }
        let arguments = request.arguments.unwrap_or_default();
        let said = self
            .apart(move |tools| tools.call(&request.name, arguments))
            .await?;
        let result = match said {
            Ok(said) => {
                let texts = [said.text, said.note].into_iter();
                let texts = texts.filter(|text| !text.is_empty());
                CallToolResult::success(texts.map(ContentBlock::text).collect())
            }
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let listed = self
            .apart(move |tools| tools.resources(cursor.as_deref()))
            .await?;
        let (pages, next) = listed.map_err(|why| ErrorData::invalid_params(why, None))?;
        let resources = pages.into_iter().map(|[url, path, title]| {
            Resource::new(url, path)
                .with_title(title)
                .with_mime_type(MARKDOWN)
        });
        Ok(ListResourcesResult {
            next_cursor: next,
            ..ListResourcesResult::with_all_items(resources.collect())
        })
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let base = self.apart(Tools::base).await?;
        let base = base.map_err(|why| ErrorData::internal_error(why, None))?;
        let template = ResourceTemplate::new(format!("{base}/{{+path}}.md"), "page")
            .with_title("A page of the site as Markdown")
            .with_mime_type(MARKDOWN);
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let url = request.uri.clone();
        let found = self.apart(move |tools| tools.resource(&url)).await?;
        let found = found.map_err(|why| ErrorData::invalid_params(refused(&why), None))?;
        let Some(text) = found else {
            let message = format!("there is no page `{}`", quoted(&request.uri));
            return Err(ErrorData::resource_not_found(message, None));
        };
        let contents = ResourceContents::text(text, request.uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
