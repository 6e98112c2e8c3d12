//! The functions of libnvrtc, as safe ones.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;
use std::time::UNIX_EPOCH;

use crate::engine::Version;
use crate::{Error, ErrorKind, Form};

/// Names of the library, newest first.
const NAMES: &[&str] = &[
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
    "libnvrtc.so",
];

/// A program of NVRTC.
type Handle = *mut c_void;
type Status = c_int;
type Size = unsafe extern "C" fn(Handle, *mut usize) -> Status;
type Text = unsafe extern "C" fn(Handle, *mut c_char) -> Status;

/// What NVRTC says when it does not like the program; other numbers are its own failures.
const COMPILATION: Status = 6;
const INVALID_OPTION: Status = 5;

/// The functions that are used.
#[derive(Debug)]
struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    architecture_count: unsafe extern "C" fn(*mut c_int) -> Status,
    architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    error_string: unsafe extern "C" fn(Status) -> *const c_char,
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    destroy: unsafe extern "C" fn(*mut Handle) -> Status,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status,
    log_size: Size,
    log: Text,
    ptx_size: Size,
    ptx: Text,
    cubin_size: Size,
    cubin: Text,
}

/// A libnvrtc that is open.
#[derive(Debug)]
pub(super) struct Library {
    functions: Functions,
    path: Option<PathBuf>,
    // Stays open: the library may have threads.
    _library: ManuallyDrop<libloading::Library>,
}

impl Library {
    /// The first that can be used: in the toolkits that variables name, where the loader looks, in
    /// the usual folder.
    pub(super) fn find() -> Option<Library> {
        let variables = ["CUDA_PATH", "CUDA_HOME"]
            .into_iter()
            .filter_map(std::env::var_os)
            .filter(|home| !home.is_empty());
        let named: Vec<PathBuf> = variables
            .map(|home| Path::new(&home).join("lib64"))
            .collect();
        let folders = named
            .into_iter()
            .chain([PathBuf::new(), PathBuf::from("/usr/local/cuda/lib64")]);
        let paths = folders.flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)));
        paths.into_iter().find_map(|path| Library::open(&path).ok())
    }

    /// Opens a library by its path, or by a name that the loader finds.
    pub(super) fn open(path: &Path) -> Result<Library, libloading::Error> {
        // SAFETY: what runs while NVRTC is loaded are its own initialisers, which have no
        // requirements.
        let library = unsafe { libloading::Library::new(path)? };
        let functions = Functions::of(&library)?;
        let path = if path.components().count() > 1 {
            Some(path.to_owned())
        } else {
            mapped_file(path)
        };
        let library = Library {
            functions,
            path,
            _library: ManuallyDrop::new(library),
        };
        library.open_builtins();
        Ok(library)
    }

    /// Opens the second library of NVRTC, which it opens itself by its bare name when it compiles.
    /// Where both lie in a folder that the loader does not search, it would not be found; once it
    /// is open, it is.
    fn open_builtins(&self) {
        let (Ok((major, minor)), Some(folder)) =
            (self.version(), self.path.as_deref().and_then(Path::parent))
        else {
            return;
        };
        // SAFETY: as for NVRTC itself.
        let builtins = unsafe {
            libloading::Library::new(folder.join(format!("libnvrtc-builtins.so.{major}.{minor}")))
        };
        // If it is not there, NVRTC says so when it compiles.
        let _ = builtins.map(ManuallyDrop::new);
    }

    /// The library's file, if it is known.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Size and time of the library's file; none if they are not known.
    pub(super) fn file(&self) -> Option<String> {
        let metadata = std::fs::metadata(self.path.as_deref()?).ok()?;
        let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{} {}", metadata.len(), time.as_nanos()))
    }

    /// The release of CUDA that it belongs to.
    pub(super) fn version(&self) -> Result<Version, Error> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two numbers to write to.
        let status = unsafe { (self.functions.version)(&mut major, &mut minor) };
        self.check(status, "its version")?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    /// What it makes code for, in ascending order.
    pub(super) fn architectures(&self) -> Result<Vec<Version>, Error> {
        let mut count = 0;
        // SAFETY: a number to write to.
        let status = unsafe { (self.functions.architecture_count)(&mut count) };
        self.check(status, "its architectures")?;
        let mut numbers = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: as many numbers to write to as it has said.
        let status = unsafe { (self.functions.architectures)(numbers.as_mut_ptr()) };
        self.check(status, "its architectures")?;
        let mut list: Vec<Version> = numbers
            .iter()
            .map(|n| (n.unsigned_abs() / 10, n.unsigned_abs() % 10))
            .collect();
        list.sort_unstable();
        Ok(list)
    }

    /// Compiles a program.
    pub(super) fn compile(
        &self,
        program: &str,
        options: &[&str],
        form: Form,
    ) -> Result<Vec<u8>, Error> {
        let text = c_string(program)?;
        let options = options
            .iter()
            .map(|option| c_string(option))
            .collect::<Result<Vec<_>, _>>()?;
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut program = Program {
            handle: ptr::null_mut(),
            functions: &self.functions,
        };
        // SAFETY: the strings end in a zero, and NVRTC copies them; there are no headers.
        let status = unsafe {
            (self.functions.create)(
                &mut program.handle,
                text.as_ptr(),
                c"kernels.cu".as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        self.check(status, "a program")?;
        let count = c_int::try_from(options.len()).unwrap_or(c_int::MAX);
        // SAFETY: as many options as it is told, strings that end in a zero.
        let status = unsafe { (self.functions.compile)(program.handle, count, options.as_ptr()) };
        if status != 0 {
            let log = program
                .get(self.functions.log_size, self.functions.log)
                .unwrap_or_default();
            return Err(self
                .failure(status, "the kernels")
                .with_words(text_of(&log)));
        }
        let output = match form {
            Form::Ptx => program
                .get(self.functions.ptx_size, self.functions.ptx)
                .map(|ptx| without_zero(&ptx).to_vec()),
            Form::Cubin => program.get(self.functions.cubin_size, self.functions.cubin),
        };
        output.map_err(|status| self.failure(status, "its output"))
    }

    fn check(&self, status: Status, what: &str) -> Result<(), Error> {
        if status == 0 {
            Ok(())
        } else {
            Err(self.failure(status, what))
        }
    }

    fn failure(&self, status: Status, what: &str) -> Error {
        // SAFETY: it gives a constant string for every number.
        let words = unsafe { (self.functions.error_string)(status) };
        let words = if words.is_null() {
            "".into()
        } else {
            // SAFETY: a string that ends in a zero and stays.
            unsafe { CStr::from_ptr(words) }.to_string_lossy()
        };
        let kind = if matches!(status, COMPILATION | INVALID_OPTION) {
            ErrorKind::Refused
        } else {
            ErrorKind::Crashed
        };
        Error::new(kind, format!("NVRTC fails on {what} ({words}, {status})"))
    }
}

impl Functions {
    fn of(library: &libloading::Library) -> Result<Functions, libloading::Error> {
        // SAFETY: the types are those of these functions in nvrtc.h, of all versions that have
        // them.
        unsafe {
            Ok(Functions {
                version: *library.get("nvrtcVersion")?,
                architecture_count: *library.get("nvrtcGetNumSupportedArchs")?,
                architectures: *library.get("nvrtcGetSupportedArchs")?,
                error_string: *library.get("nvrtcGetErrorString")?,
                create: *library.get("nvrtcCreateProgram")?,
                destroy: *library.get("nvrtcDestroyProgram")?,
                compile: *library.get("nvrtcCompileProgram")?,
                log_size: *library.get("nvrtcGetProgramLogSize")?,
                log: *library.get("nvrtcGetProgramLog")?,
                ptx_size: *library.get("nvrtcGetPTXSize")?,
                ptx: *library.get("nvrtcGetPTX")?,
                cubin_size: *library.get("nvrtcGetCUBINSize")?,
                cubin: *library.get("nvrtcGetCUBIN")?,
            })
        }
    }
}

/// A program, which is destroyed in the end.
struct Program<'a> {
    handle: Handle,
    functions: &'a Functions,
}

impl Program<'_> {
    /// Something that NVRTC says how long it is.
    fn get(&self, size: Size, text: Text) -> Result<Vec<u8>, Status> {
        let mut length = 0;
        // SAFETY: a program that exists, and a number to write to.
        let status = unsafe { size(self.handle, &mut length) };
        if status != 0 {
            return Err(status);
        }
        let mut bytes = vec![0u8; length];
        // SAFETY: as many bytes to write to as it has said.
        let status = unsafe { text(self.handle, bytes.as_mut_ptr().cast()) };
        if status == 0 { Ok(bytes) } else { Err(status) }
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: a program that exists, and is not used after this.
            unsafe { (self.functions.destroy)(&mut self.handle) };
        }
    }
}

fn c_string(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::new(ErrorKind::Refused, "the text has a zero byte in it"))
}

fn without_zero(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(&[0]).unwrap_or(bytes)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(without_zero(bytes)).into_owned()
}

/// The file that was loaded by a bare name, from the system's list of what is mapped into this
/// process.
fn mapped_file(name: &Path) -> Option<PathBuf> {
    let name = name.to_str()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let paths = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]));
    paths
        .into_iter()
        .find(|path| {
            path.rsplit('/')
                .next()
                .is_some_and(|file| file.starts_with(name))
        })
        .map(PathBuf::from)
}
